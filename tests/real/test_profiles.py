"""The alerts about real tables, each of which was read and judged by a person."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitsep
import real_tables

INDEX = {"unnamed_index": [""]}  # pydataset writes the row names of R without a name

EXPECTED: dict[str, dict[str, list[str]]] = {
    "titanic": INDEX,
    "Chile": INDEX | {"many_levels": ["age", "statusquo"]},
    "diamonds": INDEX | {"many_levels": ["carat", "depth", "price", "table", "x", "y", "z"]},
    "movies": INDEX
    | {
        "text": ["title"],
        "mostly_missing": ["budget", "mpaa"],
        "many_levels": ["budget", "length", "rating", "votes"],
    },
    "iris": INDEX | {"many_levels": ["Petal.Length", "Petal.Width", "Sepal.Length", "Sepal.Width"]},
    "mtcars": INDEX | {"many_levels": ["disp", "drat", "hp", "mpg", "qsec", "wt"]},
    "UCBAdmissions": INDEX | {"frequency": ["Freq"]},
    "HairEyeColor": INDEX | {"frequency": ["Freq"]},
    # ID: of the sample, 645 different ones in 699 rows.
    "biopsy": INDEX | {"identifier": ["ID"]},
    "birthwt": INDEX | {"many_levels": ["age", "bwt", "lwt"]},
    # lage and lbase are logarithms; V4 says whether the period is the fourth.
    "epil": INDEX
    | {
        "many_levels": ["age", "base", "lage", "lbase", "subject", "y"],
        "duplicate": ["lage", "lbase"],
        "function": ["V4"],
    },
    "survey": INDEX | {"many_levels": ["Age", "Height", "NW.Hnd", "Pulse", "Wr.Hnd"]},
    "Melanoma": INDEX | {"many_levels": ["age", "thickness", "time"]},
    "Mroz": INDEX
    | {"many_levels": ["ageh", "agew", "experience", "hearnw", "hoursh", "hoursw", "income", "wageh", "wagew"]},
    "SLID": INDEX | {"many_levels": ["education", "wages"]},
    "Vocab": INDEX,
    "quakes": INDEX | {"many_levels": ["depth", "lat", "long", "stations"]},
    # hour and minute are parts of sched_dep_time, which is 517 for 5:17.
    "flights": {
        "date": ["time_hour"],
        "many_levels": [
            "arr_delay", "arr_time", "dep_time", "flight", "sched_arr_time", "sched_dep_time", "tailnum",
        ],
        "function": ["hour", "minute"],
        "constant": ["year"],
    },
    "weather": {
        "date": ["time_hour"],
        "mostly_missing": ["wind_gust"],
        "many_levels": ["dewp", "humid", "precip", "pressure", "temp"],
        "constant": ["year"],
    },
    "planes": {
        "identifier": ["tailnum"],
        "mostly_missing": ["speed"],
        "many_levels": ["model", "speed"],
        "function": ["type"],
        "near_constant": ["type"],
    },
    # tz is the offset of the time zone tzone.
    "airports": {
        "identifier": ["faa"],
        "text": ["name"],
        "many_levels": ["alt", "lat", "lon"],
        "function": ["tz"],
    },
    "penguins": {"many_levels": ["bill_depth_mm", "bill_length_mm", "body_mass_g", "flipper_length_mm"]},
    # The comments say, for instance, "Nest never observed with full clutch".
    "penguins_raw": {
        "identifier": ["Individual ID"],
        "date": ["Date Egg"],
        "mostly_missing": ["Comments"],
        "many_levels": [
            "Body Mass (g)", "Culmen Depth (mm)", "Culmen Length (mm)", "Delta 13 C (o/oo)", "Delta 15 N (o/oo)",
            "Flipper Length (mm)", "Sample Number",
        ],
        "function": ["Clutch Completion"],
        "constant": ["Region", "Stage"],
    },
    "cars": {
        "date": ["Year"],
        "text": ["Name"],
        "many_levels": ["Acceleration", "Displacement", "Horsepower", "Miles_per_Gallon", "Weight_in_lbs"],
    },
    "seattle_weather": {"date": ["date"], "many_levels": ["precipitation", "temp_max", "temp_min", "wind"]},
    "barley": {"many_levels": ["yield"]},
    "stocks": {"date": ["date"], "many_levels": ["price"]},
    # Nearly every row has another name, address and neighborhood.
    "la_riots": {
        "identifier": ["first_name", "last_name", "neighborhood"],
        "date": ["death_date"],
        "text": ["address"],
        "many_levels": ["age", "latitude", "longitude"],
    },
}  # fmt: skip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.mark.parametrize("name", real_tables.NAMES)
def test_alerts(name: str, folder: Path) -> None:
    profile = bitsep.describe(real_tables.write_csv(name, folder))
    found: dict[str, list[str]] = {}
    for alert in profile.alerts:
        found.setdefault(alert.kind, []).append(alert.column)
    assert found == EXPECTED[name]
    assert len(str(profile).splitlines()) < 2 * len(profile.columns) + 20


@pytest.mark.parametrize("name", ["flights", "penguins_raw"])
def test_memory_and_stream(name: str, folder: Path) -> None:
    path = real_tables.write_csv(name, folder)
    with bitsep.scan(path, memory="1GB", max_float_levels=None) as scan:
        assert bitsep.describe(scan) == bitsep.describe(path)
