"""The commands of the shell, one file each. They parse, call the library and print; they decide nothing."""
