"""The accuracy benchmark: how close the graphs of bitsep and of other libraries come to known networks.

It uses public names of bitsep only and is not part of the installed package.
"""
