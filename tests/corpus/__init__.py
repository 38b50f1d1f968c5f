"""Stored results of the bundled networks: a change of the code that should change no result changes none of these.

`cases.py` has the samples and the questions, `results.py` asks bitsep and takes the values out of its answers (the only
file here that uses names of bitsep), `digests.py` turns values into digests, `make.py` writes one JSON file per network
into `stored/`, `test_corpus.py` and `tests/backends/test_spark_corpus.py` compare.
"""
