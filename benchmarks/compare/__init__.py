"""Two builds of bitsep, a base commit and the working tree, timed in turns in one run: `make bench-compare`."""
