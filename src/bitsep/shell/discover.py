"""`bitsep discover`: a causal graph from a table."""

from __future__ import annotations

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bitsep.errors import ArgumentError, BitsepError, WriteError
from bitsep.files import check_ending, check_place
from bitsep.naming import one_line, unknown_column
from bitsep.optional import require
from bitsep.shell import completion, data
from bitsep.shell.files import check_graph_format, needs_dag, read_graph, write_graph
from bitsep.shell.terminal import output, print_json_text, safe, working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitsep import Discovery
    from bitsep.naming import Name

EXAMPLES = """Examples

$ bitsep discover survey.csv

$ bitsep discover survey.csv --report graph.html --output graph.dot --bootstrap 100

$ bitsep discover survey.csv --explain smoke xray

$ bitsep discover survey.csv --algorithm fci

$ bitsep discover survey.csv --required "smoke -> lung" --forbidden "lung -> age" --exclude id

$ bitsep discover counts.parquet --weights count --json > graph.json"""

_score_option = partial(typer.Option, rich_help_panel="Searches by score: boss, hill_climb")
_test_option = partial(typer.Option, rich_help_panel="Searches by tests: pc_stable, fci")
_knowledge_option = partial(typer.Option, rich_help_panel="Background knowledge")


@data.reads_data
def discover(
    source: data.Source,
    file: data.DataFile,
    output_files: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File for the graph: .dot, .graphml, .json, .txt (edge list), .bnlearn (model string) or .bif (also "
            ".bif.gz; a Bayesian network with probabilities), or a picture: .svg, .png, .pdf. "
            ".bnlearn and .bif have a DAG that the graph represents, or "
            "the nearest DAG if it represents none. Repeat the option for more files.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File for a report (.html) with all the evidence, to open in a browser."),
    ] = None,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Instead of the summary, explain why A and B have an edge or do not."),
    ] = None,
    as_json: data.Json = False,
    algorithm: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The search: boss (the shortest code, by a search over orders; default), hill_climb (the same by "
            "changes of single edges), pc_stable (by tests of independence) or fci (by tests, if variables may be "
            "hidden).",
            autocompletion=completion.searches,
        ),
    ] = None,
    score: Annotated[
        str | None,
        _score_option(metavar="SCORE", help="Score; `bitsep info` lists them.", autocompletion=completion.scores),
    ] = None,
    structure: Annotated[
        bool | None,
        _score_option(help="Whether the score has the bits to say which variables are parents; default: yes."),
    ] = None,
    max_parents: Annotated[int | None, _score_option(metavar="N", help="Largest number of parents.")] = None,
    starts: Annotated[int | None, _score_option(metavar="N", help="Largest number of local searches of boss.")] = None,
    tabu: Annotated[
        int | None, _score_option(metavar="N", help="Number of changes without success after which hill_climb ends.")
    ] = None,
    start: Annotated[
        Path | None,
        _score_option(
            metavar="FILE",
            help="Graph from which hill_climb starts: .dot, .gv, .graphml, .json, .txt, .edges, .bnlearn or .bif.",
        ),
    ] = None,
    option: data.MethodOptions = None,
    method: Annotated[
        str | None,
        _test_option(
            "--method",
            "-m",
            metavar="TEST",
            help="Independence test; `bitsep info` lists them.",
            autocompletion=completion.methods,
        ),
    ] = None,
    alpha: Annotated[
        float | None, _test_option(metavar="ALPHA", help="Significance level; as in `bitsep test`.")
    ] = None,
    fdr: Annotated[
        float | None,
        _test_option(
            metavar="RATE",
            help="Instead of ALPHA, the false discovery rate of the edges: on average at most this share of them is "
            "false. Needs a test with p-values.",
        ),
    ] = None,
    max_given: Annotated[int | None, _test_option(metavar="N", help="Largest size of conditioning sets.")] = None,
    orientation: Annotated[
        str | None,
        _test_option(
            metavar="RULE",
            help="How v-structures are decided: evidence (by the bits of separators, which also settle "
            "contradictions), majority (by the majority of separators), conservative (if all separators agree) or "
            "standard (by the separator found).",
        ),
    ] = None,
    variant: Annotated[
        str | None, _test_option(metavar="NAME", help="Variant of fci: fci, or rfci (with fewer tests).")
    ] = None,
    selection: Annotated[
        bool | None,
        _test_option(
            "--selection",
            help="With fci: the rows may be selected by variables that the data do not show.",
        ),
    ] = None,
    min_rows_share: data.MinRowsShare = 0.5,
    min_effect: data.MinEffect = 0.0,
    bootstrap: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Resample the rows N times and report how often each edge is found, and how probable it is.",
        ),
    ] = 0,
    expected: Annotated[
        bool,
        typer.Option(
            "--expected",
            help="Also say how accurate the graph is expected to be, now and with up to 5 times the rows; not for fci.",
        ),
    ] = False,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed for the random orders of boss and for bootstrap resampling.")
    ] = 0,
    required: Annotated[list[str] | None, _knowledge_option(metavar="EDGE", help='A required edge: "a -> b".')] = None,
    forbidden: Annotated[
        list[str] | None,
        _knowledge_option(metavar="EDGE", help='A forbidden edge: "a -> b", or "a -- b" for both directions.'),
    ] = None,
    knowledge: Annotated[
        Path | None,
        _knowledge_option(
            metavar="FILE",
            help="JSON file with required edges, forbidden edges and tiers (the order in time): "
            '{"required": [["a", "b"]], "forbidden": [], "tiers": [["a"], ["b", "c"]]}.',
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for the results of finished steps; the same command resumes after them.",
        ),
    ] = None,
) -> None:
    """Learn a causal graph, with the evidence for every edge and every missing edge."""
    import bitsep
    from bitsep.shell.knowledge import read_knowledge
    from bitsep.shell.summary import print_decisions, print_discovery, print_list

    for target in output_files or ():
        check_graph_format(target)
        check_place(target, "--output")
    if report is not None:
        check_ending(report, (".html", ".htm"), "--report", "a report")
        check_place(report, "--report")
        require("igraph", "--report", "report")
    if algorithm == "fci":
        _refuse_dags(output_files or (), expected)
    known = read_knowledge(required, forbidden, knowledge)
    own = {
        "score": score,
        "structure": structure,
        "max_parents": max_parents,
        "starts": starts,
        "tabu": tabu,
        "start": None if start is None else read_graph(start, "--start"),
        "method": method,
        "alpha": alpha,
        "fdr": fdr,
        "max_given": max_given,
        "orientation": orientation,
        "variant": variant,
        "selection": selection,
        "discretize": source.discretize,
    }
    table = source.read_for_search(file)
    if explain is not None:
        _check_explained(explain, table.names, source.exclude or ())
    with working(f"searching {data.title(file)}") as progress:
        found = bitsep.discover(
            table,
            algorithm,
            knowledge=known,
            threads=source.threads,
            progress=progress,
            bootstrap=bootstrap,
            seed=seed,
            checkpoint=checkpoint,
            keep=source.kept,
            min_rows_share=min_rows_share,
            min_effect=min_effect,
            missing_as_level=source.levels_of_missing,
            **{name: value for name, value in own.items() if value is not None},
            **data.method_options(option),
        )
    written, failure = _write(found, data.title(file), output_files or (), report)
    if as_json:
        print_json_text(found.to_json())
    elif explain is not None:
        output().print(safe(found.explain(*explain)))
    else:
        print_discovery(found, data.title(file))
        if expected:
            with working("simulating") as progress:
                accuracy = bitsep.expected_accuracy(found, seed=seed, threads=source.threads, progress=progress)
            print_list("Expected accuracy", [accuracy.sentence])
    if not as_json:
        for path in written:
            output().print(f"written: {one_line(str(path))}")
        if explain is not None and any(map(needs_dag, written)):  # otherwise the summary has them
            print_decisions(found)
    if failure is not None:
        raise failure


def _check_explained(pair: tuple[str, str], names: Sequence[Name], excluded: Sequence[str]) -> None:
    """Raise an error, before the search, if `--explain` names something else than two columns of it."""
    for name in pair:
        if name in excluded:
            raise ArgumentError(
                f"--explain: the column {name!r} is excluded.", hint="Leave out one of the two options."
            )
        if name not in names:
            raise unknown_column("--explain", name, names)
    if pair[0] == pair[1]:
        raise ArgumentError(f"--explain: needs two different columns, got {pair[0]!r} twice.")


def _refuse_dags(targets: Sequence[Path], expected: bool) -> None:
    """Raise an error, before the search, if something needs the DAG that a PAG does not have."""
    for target in filter(needs_dag, targets):
        raise ArgumentError(
            f"--output: must be a format of graphs with hidden variables with --algorithm fci, got {str(target)!r}.",
            hint="Write .json, .dot, .graphml or .txt, or use another algorithm.",
        )
    if expected:
        raise ArgumentError(
            "--expected: must not be given with --algorithm fci.",
            hint="The accuracy to expect is simulated from a DAG of the columns, which a PAG does not have.",
        )


def _write(
    found: Discovery, title: str, graphs: Sequence[Path], report: Path | None
) -> tuple[list[Path], BitsepError | None]:
    """Write the files; return those written and the first error, which must not prevent printing the result."""
    written = []
    option = "--output"
    try:
        for path in graphs:
            write_graph(found, path)
            written.append(path)
        if report is not None:
            option = "--report"
            from bitsep.report import save_report

            with working("writing the report"):
                save_report(found, report, title=one_line(title), command=shlex.join(["bitsep", *sys.argv[1:]]))
            written.append(report)
    except WriteError as error:  # names an argument of a function
        reason = error.message.partition(": ")[2].rstrip(".")
        return written, WriteError(f"{option}: {reason}.", hint=error.hint)
    except BitsepError as error:
        return written, error
    return written, None
