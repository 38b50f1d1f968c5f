"""Times two builds of bitsep, a base commit and the working tree, in turns in one run: `make bench-compare`."""
