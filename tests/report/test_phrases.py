"""Sentences come back letter for letter, whatever the variables are called."""

from hypothesis import given
from hypothesis import strategies as st

from bitsep.report.phrases import Phrasebook
from report.samples import alarm

names = st.lists(st.text(max_size=6), unique=True, max_size=6)


@given(names, st.lists(st.text(max_size=30), max_size=5))
def test_filling_the_gaps_gives_the_text_back(names: list[str], texts: list[str]) -> None:
    book = Phrasebook(names)
    for text in [*texts, " and ".join(names), "".join(names)]:
        assert book.text(book.add(text)) == text


def test_explanations_share_few_templates() -> None:
    discovery, _ = alarm()
    book = Phrasebook([str(name) for name in discovery.variables])
    pairs = [(a, b) for a in discovery.variables for b in discovery.variables if a < b]
    texts = [discovery.explain(a, b) for a, b in pairs]
    phrases = [book.add(text) for text in texts]
    assert [book.text(phrase) for phrase in phrases] == texts
    assert len(book.templates) < 60


def test_a_column_may_have_the_name_of_a_word_or_a_number() -> None:
    book = Phrasebook(["edge", "1", "0"])
    phrase = book.add("0 and 1 have no edge; 1 test was made.", mentioned={1, 2})
    assert phrase.fillings == (2, 1, "1")


def test_names_within_words_are_no_names() -> None:
    book = Phrasebook(["a", "bit"])
    assert book.add("a has bits").fillings == (0,)
