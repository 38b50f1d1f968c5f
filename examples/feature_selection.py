"""Compare feature selection by Markov blanket with the best single features, on data whose true graph is known.

Each target is a variable of Alarm. Its blanket is found from 5,000 rows; `SelectKBest` chooses the same number of
features by mutual information. The same classifier is then trained with each selection and predicts 20,000 new rows.
All targets are variables whose blanket is found exactly from these rows. Needs scikit-learn:
pip install "bitsep[sklearn]"
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.metrics import accuracy_score, log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import bitsep

NETWORK = bitsep.load_network("alarm")
TARGETS = ("ERRCAUTER", "LVFAILURE", "SHUNT", "STROKEVOLUME", "VENTALV", "VENTTUBE")


@dataclass(frozen=True)
class Comparison:
    """How well a target is predicted from its blanket, and from the same number of best single features."""

    target: str
    features: int
    blanket_found: bool
    accuracy_blanket: float
    accuracy_best: float
    bits_blanket: float
    bits_best: float


def compare(target: str = "STROKEVOLUME", rows: int = 5000) -> Comparison:
    """Select features, train, and predict new rows; the log loss is in bits per row."""
    (X, y), (X_new, y_new) = (_split(NETWORK.sample(n, seed=seed), target) for n, seed in ((rows, 1), (20_000, 2)))
    blanket = bitsep.adapters.sklearn.MarkovBlanketSelector()
    found = blanket.fit(X, y).get_feature_names_out()
    best = SelectKBest(partial(mutual_info_classif, discrete_features=True), k=len(found))
    measures = []
    for selector in (blanket, best):
        forest = RandomForestClassifier(min_samples_leaf=5, random_state=0)
        model = make_pipeline(OrdinalEncoder(), selector, forest).fit(X, y)
        loss = log_loss(y_new, model.predict_proba(X_new), labels=model.classes_) / 0.6931471805599453
        measures.append((accuracy_score(y_new, model.predict(X_new)), loss))
    (accuracy_blanket, bits_blanket), (accuracy_best, bits_best) = measures
    return Comparison(
        target,
        len(found),
        set(found) == set(NETWORK.markov_blanket(target)),
        accuracy_blanket,
        accuracy_best,
        bits_blanket,
        bits_best,
    )


def _split(data: pd.DataFrame, target: str) -> tuple[pd.DataFrame, pd.Series]:
    return data.drop(columns=target), data[target].astype(str)


def main() -> None:
    print("                         correct predictions    log loss, bits per row")
    print("target        features   blanket  best single   blanket  best single   blanket found")
    for target in TARGETS:
        c = compare(target)
        print(
            f"{c.target:<13} {c.features:>8}   {c.accuracy_blanket:>7.1%}  {c.accuracy_best:>11.1%}   "
            f"{c.bits_blanket:>7.3f}  {c.bits_best:>11.3f}   {'exactly' if c.blanket_found else 'in part'}"
        )


if __name__ == "__main__":
    main()
