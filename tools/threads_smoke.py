"""What a sanitizer of threads is to see: native calls with several threads, from one and from several Python threads.

sh tools/sanitized_python.sh .venv thread tools/threads_smoke.py
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import bitsep


def work(table: bitsep.Table) -> list[object]:
    """Tests, permutations, scores, searches, bootstrap samples and blankets, with three threads each."""
    names = table.names
    queries = [(a, b, (c,)) for a in names[:5] for b in names[5:9] for c in names[9:12]]
    methods = ("sci_f", "g2_adjusted", "x2_calibrated", "u_calibrated")
    found: list[object] = [
        [one.score_bits for one in bitsep.evaluate(table, queries, method=method, threads=3)] for method in methods
    ]
    found.append(bitsep.independence_test(table, names[0], names[1], permutations=99).p_value)
    found.append(bitsep.boss(table, threads=3, bootstrap=4).to_json())
    found.append(bitsep.hill_climb(table, threads=3).to_json())
    found.append(bitsep.pc_stable(table, threads=3, bootstrap=4).to_json())
    found.append(bitsep.fci(table, threads=3, max_given=2).to_json())
    found.append(sorted(bitsep.markov_blanket(table, names[0], threads=3).members))
    return found


def main() -> None:
    """Do the same alone and in four Python threads at once."""
    data = bitsep.load_network("alarm").sample(400, seed=1)
    alone = work(bitsep.Table(data))
    table = bitsep.Table(data)
    with ThreadPoolExecutor(4) as pool:
        assert all(found == alone for found in pool.map(work, [table] * 4))
    print("the same results in four threads")


if __name__ == "__main__":
    main()
