"""What `bitsep describe` and `bitsep discover` must say about real tables, each with the reason.

Edges are required or forbidden because of what the columns mean or how the data were collected. The lists were
completed when the graphs were known, so they guard against changes for the worse; they do not measure accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Pairs = dict[tuple[str, str], str]
"""Pairs of columns, each with the reason why they have an edge or none."""


@dataclass(frozen=True)
class Expected:
    """The alerts of a table by kind, which columns a search leaves out, and some of the edges.

    `options` are those of the command; only tables of frequencies have any. `large` tables are
    for the slow tests.
    """

    alerts: dict[str, list[str]]
    left_out: list[str]
    required: Pairs = field(default_factory=dict)
    forbidden: Pairs = field(default_factory=dict)
    options: tuple[str, ...] = ()
    large: bool = False


INDEX = {"unnamed_index": [""]}  # pydataset writes the row names of R without a name
BALANCED = "the design is balanced: every combination occurs equally often"
SAMPLED = "men and women were sampled everywhere alike"
GEOMETRY = "both follow from the shape of the nucleus"
BOTH_AT_THE_NEST = "both adults of each nest were measured"
EVERY_HOUR = "every airport reports every hour of every day"
CALENDAR = "flights are scheduled by the day of the week, which moves through the month"

EXPECTED: dict[str, Expected] = {
    "titanic": Expected(
        INDEX,
        [""],
        {
            ("sex", "survived"): "women and children first",
            ("class", "survived"): "the boats were nearest to the cabins of the first class",
        },
    ),
    "Chile": Expected(
        INDEX | {"many_levels": ["age", "statusquo"]},
        [""],
        {
            ("population", "region"): "the population is that of the town of the interview",
            ("statusquo", "vote"): "the vote is about the status quo",
            ("education", "income"): "incomes rise with education",
            ("age", "education"): "schooling has become longer from generation to generation",
        },
        {("region", "sex"): SAMPLED, ("population", "sex"): SAMPLED},
    ),
    "diamonds": Expected(
        INDEX | {"many_levels": ["carat", "depth", "price", "table", "x", "y", "z"]},
        [""],
        {
            ("x", "y"): "length and width of a round stone are nearly equal",
            ("cut", "table"): "the grade of the cut follows from the proportions of the stone",
            ("cut", "depth"): "the grade of the cut follows from the proportions of the stone",
            ("clarity", "price"): "flawless stones cost more",
        },
        {
            ("color", "depth"): "the color of a stone does not matter for its proportions",
            ("color", "table"): "the color of a stone does not matter for its proportions",
        },
        large=True,
    ),
    "movies": Expected(
        INDEX
        | {
            "text": ["title"],
            "mostly_missing": ["budget", "mpaa"],
            "many_levels": ["budget", "length", "rating", "votes"],
        },
        ["", "title"],
        {
            ("Short", "length"): "short films are short",
            ("rating", "r8"): "the rating is the mean of the votes, and r8 the share of eights",
            ("Comedy", "Drama"): "genres exclude each other more often than not",
        },
        large=True,
    ),
    "iris": Expected(
        INDEX | {"many_levels": ["Petal.Length", "Petal.Width", "Sepal.Length", "Sepal.Width"]},
        [""],
        {
            ("Petal.Length", "Species"): "the species differ most in their petals",
            ("Petal.Width", "Species"): "the species differ most in their petals",
        },
    ),
    "breast_cancer": Expected(
        {
            "many_levels": [
                f"{part}_{name}"
                for part in ("error", "mean", "worst")
                for name in (
                    "area", "compactness", "concave_points", "concavity", "fractal_dimension", "perimeter", "radius",
                    "smoothness", "symmetry", "texture",
                )
            ]
        },
        [],
        {
            ("mean_radius", "mean_perimeter"): GEOMETRY,
            ("mean_texture", "worst_texture"): "the worst texture is one of those whose mean is given",
        },
    ),
    "mtcars": Expected(
        INDEX | {"many_levels": ["disp", "drat", "hp", "mpg", "qsec", "wt"]},
        [""],
        {
            ("cyl", "disp"): "the displacement is that of all cylinders",
            ("am", "gear"): "of these cars, only manual gearboxes have five gears, and automatic ones mostly three",
        },
    ),
    "UCBAdmissions": Expected(
        INDEX | {"frequency": ["Freq"]},
        [""],
        {
            ("Admit", "Dept"): "departments admitted very different shares of the applicants",
            ("Dept", "Gender"): "women applied to other departments than men",
        },
        {("Admit", "Gender"): "within departments there was no bias (Bickel, Hammel & O'Connell 1975)"},
        options=("--weights", "Freq"),
    ),
    "HairEyeColor": Expected(
        INDEX | {"frequency": ["Freq"]},
        [""],
        {("Eye", "Hair"): "both depend on the same pigment"},
        {("Eye", "Sex"): "no gene for the color of eyes is linked to the sex"},
        options=("--weights", "Freq"),
    ),
    # ID: of the sample, 645 different ones in 699 rows.
    "biopsy": Expected(
        INDEX | {"identifier": ["ID"]},
        ["", "ID"],
        {("V2", "V3"): "uniformity of cell size and of cell shape", ("V6", "class"): "bare nuclei mark malignancy"},
    ),
    "birthwt": Expected(
        INDEX | {"many_levels": ["age", "bwt", "lwt"]},
        [""],
        {
            ("bwt", "low"): "low says whether bwt is below 2,500 g",
            ("race", "smoke"): "more white than black women smoked in 1986",
        },
    ),
    # lage and lbase are logarithms; V4 says whether the period is the fourth.
    "epil": Expected(
        INDEX
        | {
            "many_levels": ["age", "base", "lage", "lbase", "subject", "y"],
            "duplicate": ["lage", "lbase"],
            "function": ["V4"],
        },
        [""],
        {("base", "lbase"): "lbase is the logarithm of base", ("V4", "period"): "V4 is the fourth period"},
        {
            ("period", "trt"): BALANCED,
            ("age", "period"): BALANCED,
            ("base", "period"): BALANCED,
            ("period", "subject"): BALANCED,
        },
    ),
    "survey": Expected(
        INDEX | {"many_levels": ["Age", "Height", "NW.Hnd", "Pulse", "Wr.Hnd"]},
        [""],
        {("NW.Hnd", "Wr.Hnd"): "the spans of both hands", ("Height", "Sex"): "men are taller"},
        {
            ("Fold", "Pulse"): "how someone folds the arms has nothing to do with the pulse",
            ("Fold", "M.I"): "how someone folds the arms has nothing to do with the units of measurement",
        },
    ),
    "Melanoma": Expected(
        INDEX | {"many_levels": ["age", "thickness", "time"]},
        [""],
        {
            ("status", "time"): "those who died were observed for a shorter time",
            ("time", "year"): "patients of earlier operations were observed for longer",
            ("thickness", "ulcer"): "thick tumors ulcerate",
        },
    ),
    "Mroz": Expected(
        INDEX
        | {"many_levels": ["ageh", "agew", "experience", "hearnw", "hoursh", "hoursw", "income", "wageh", "wagew"]},
        [""],
        {
            ("ageh", "agew"): "spouses are of similar age",
            ("educh", "educw"): "spouses have similar education",
            ("hoursw", "work"): "who does not work has no hours",
            ("educwf", "educwm"): "the parents of the wife are spouses, too",
        },
        {("agew", "unemprate"): "the rate is that of the county, whatever the age of the wife"},
    ),
    "SLID": Expected(
        INDEX | {"many_levels": ["education", "wages"]},
        [""],
        {("age", "wages"): "wages rise with experience", ("education", "wages"): "wages rise with education"},
        {("language", "sex"): "boys and girls grow up with the same language"},
    ),
    "Vocab": Expected(
        INDEX,
        [""],
        {("education", "vocabulary"): "schools teach words"},
        {("sex", "year"): "every survey asked women and men"},
    ),
    "quakes": Expected(
        INDEX | {"many_levels": ["depth", "lat", "long", "stations"]},
        [""],
        {
            ("mag", "stations"): "strong earthquakes are recorded by more stations",
            ("lat", "long"): "earthquakes lie along the trench",
            ("depth", "long"): "the plate dips to the west",
        },
        {("lat", "mag"): "the strength does not depend on the place along the trench"},
    ),
    # hour and minute are parts of sched_dep_time, which is 517 for 5:17.
    "flights": Expected(
        {
            "date": ["time_hour"],
            "many_levels": [
                "arr_delay", "arr_time", "dep_time", "flight", "sched_arr_time", "sched_dep_time", "tailnum",
            ],
            "function": ["hour", "minute"],
            "constant": ["year"],
        },
        ["time_hour"],
        {
            ("arr_delay", "dep_delay"): "who departs late arrives late",
            ("dest", "distance"): "the distance is that to the destination",
            ("carrier", "origin"): "carriers have their hubs at different airports",
            ("hour", "sched_dep_time"): "the hour is that of the scheduled departure",
        },
        {("carrier", "day"): CALENDAR, ("day", "dest"): CALENDAR, ("day", "origin"): CALENDAR},
        large=True,
    ),
    "weather": Expected(
        {
            "date": ["time_hour"],
            "mostly_missing": ["wind_gust"],
            "many_levels": ["dewp", "humid", "precip", "pressure", "temp"],
            "constant": ["year"],
        },
        ["time_hour"],
        {
            ("humid", "temp"): "the relative humidity follows from temperature and dew point",
            ("dewp", "humid"): "the relative humidity follows from temperature and dew point",
            ("month", "temp"): "summer and winter",
        },
        {
            ("day", "origin"): EVERY_HOUR,
            ("month", "origin"): EVERY_HOUR,
            ("hour", "origin"): EVERY_HOUR,
            ("day", "hour"): EVERY_HOUR,
            ("hour", "month"): EVERY_HOUR,
        },
        large=True,
    ),
    "planes": Expected(
        {
            "identifier": ["tailnum"],
            "mostly_missing": ["speed"],
            "many_levels": ["model", "speed"],
            "function": ["type"],
            "near_constant": ["type"],
        },
        ["tailnum"],
        {
            ("manufacturer", "model"): "a model has one manufacturer",
            ("model", "seats"): "planes of a model have the same seats",
        },
    ),
    # tz is the offset of the time zone tzone.
    "airports": Expected(
        {
            "identifier": ["faa"],
            "text": ["name"],
            "many_levels": ["alt", "lat", "lon"],
            "function": ["tz"],
        },
        ["faa", "name"],
        {("tz", "tzone"): "tz is the offset of tzone", ("lon", "tz"): "time zones follow the longitude"},
    ),
    "penguins": Expected(
        {"many_levels": ["bill_depth_mm", "bill_length_mm", "body_mass_g", "flipper_length_mm"]},
        [],
        {
            ("island", "species"): "Gentoo breed on Biscoe only, Chinstrap on Dream only",
            ("bill_length_mm", "species"): "Adelie have short bills",
            ("body_mass_g", "sex"): "males are heavier",
        },
        {("sex", "species"): BOTH_AT_THE_NEST, ("island", "sex"): BOTH_AT_THE_NEST, ("sex", "year"): BOTH_AT_THE_NEST},
    ),
    # The comments say, for instance, "Nest never observed with full clutch".
    "penguins_raw": Expected(
        {
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
        ["Individual ID", "Date Egg"],
        {
            ("Island", "Species"): "Gentoo breed on Biscoe only, Chinstrap on Dream only",
            ("Culmen Length (mm)", "Species"): "Adelie have short bills",
            ("Body Mass (g)", "Sex"): "males are heavier",
        },
        {("Sex", "Species"): BOTH_AT_THE_NEST, ("Island", "Sex"): BOTH_AT_THE_NEST},
    ),
    "cars": Expected(
        {
            "date": ["Year"],
            "text": ["Name"],
            "many_levels": ["Acceleration", "Displacement", "Horsepower", "Miles_per_Gallon", "Weight_in_lbs"],
        },
        ["Name"],
        {
            ("Cylinders", "Displacement"): "the displacement is that of all cylinders",
            ("Displacement", "Miles_per_Gallon"): "large engines need more fuel",
            ("Miles_per_Gallon", "Year"): "after the crisis of 1973 cars were built to need less fuel",
        },
        {("Acceleration", "Origin"): "acceleration follows from engine and weight"},
    ),
    "seattle_weather": Expected(
        {"date": ["date"], "many_levels": ["precipitation", "temp_max", "temp_min", "wind"]},
        ["date"],
        {
            ("precipitation", "weather"): "a day with precipitation is one of rain or snow",
            ("temp_max", "temp_min"): "warm days have warm nights",
        },
    ),
    "barley": Expected(
        {"many_levels": ["yield"]},
        [],
        {("site", "yield"): "soil and weather differ between the sites"},
        {("site", "variety"): BALANCED, ("variety", "year"): BALANCED, ("site", "year"): BALANCED},
    ),
    "stocks": Expected(
        {"date": ["date"], "many_levels": ["price"]},
        ["date"],
        {("price", "symbol"): "the price of a share depends on the number of shares of the company"},
    ),
    # Nearly every row has another name, address and neighborhood.
    "la_riots": Expected(
        {
            "identifier": ["first_name", "last_name", "neighborhood"],
            "date": ["death_date"],
            "text": ["address"],
            "many_levels": ["age", "latitude", "longitude"],
        },
        ["first_name", "last_name", "neighborhood", "address"],
    ),
}  # fmt: skip
