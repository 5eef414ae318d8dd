"""All that remembers something from one call to the next, but for what goes through `campaign.secrecy.memory`.

Nothing in these lists may be made from the rows of a campaign, but what is in `PIECES`: there the key is all that the
value is made from, so that whoever asks with the same key gets what would be made for them.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from campaign.maps.drawing.disk_cache import DISK_CACHE
from campaign.secrecy import memory

CONSTANTS: Mapping[str, str] = {
    "api/operations.py Operation.gives": "the types of an operation",
    "api/operations.py Operation.takes": "the same",
    "api/schema.py _schema_of": "the schema of a type",
    "api/views/schema.py _client": "files of the project",
    "api/views/schema.py _schema": "the schema, out of the types of all operations",
    "campaign/engine/board/hexes.py Grid.middles": "of a scenario's map",
    "campaign/engine/board/hexes.py _reader": "patterns of hex numbers in scenarios' files",
    "campaign/engine/display/views.py _circle": "round the points of a base map",
    "campaign/engine/orders/grammar.py grammar_of": "the order types of rulesets",
    "campaign/engine/sheets.py SideSheet._overruled_by": "of one sheet, while it is answered",
    "campaign/selectors.py Knowledge.names": "of what one reader knows, while they are answered",
    "campaign/engine/ruleset.py Ruleset._table": "the ruleset's sequence",
    "campaign/engine/ruleset.py Ruleset.fact_type": "the ruleset's facts",
    "campaign/forms/scenarios.py supplied": "the supplied scenarios",
    "campaign/forms/accounts.py time_zones": "the time zones of the world",
    "campaign/game/loading.py Loaded.base_map": "of a scenario's map",
    "campaign/game/guide.py general_guide": "the guide of all scenarios",
    "campaign/game/rulebook.py _MADE": "rules and charts, by the digest of their scenario without an entered position",
    "campaign/game/bars.py _load": "scenarios, by name",
    "campaign/game/bars.py _made_of": "a digest of code and scenarios",
    "campaign/management/commands/play.py _LOADED": "scenarios that bots play, by folder; no campaign is there",
    "campaign/maps/base/layout.py Layout._around": "what base maps leave free, by place",
    "campaign/maps/base/layout.py Layout._elsewhere": "the same",
    "campaign/maps/base/layout.py Layout._fixed": "where ids and the signs of towns are on a base map",
    "campaign/maps/base/layout.py Layout._fronts": "the names of a base map along each side of a place",
    "campaign/maps/base/layout.py Layout._fronts_on_ids": "the ids of a base map, likewise",
    "campaign/maps/base/layout.py Layout._hidden": "the same, by place",
    "campaign/maps/base/layout.py Layout._ids": "the ids of a base map in a box, by box",
    "campaign/maps/base/layout.py Layout._named_cells": "where the names of a base map are",
    "campaign/maps/base/layout.py Layout._numbered_cells": "where the ids of a base map are",
    "campaign/maps/base/layout.py Layout._printed": "the same",
    "campaign/maps/base/layout.py Layout._reaches": "boxes round the places of a base map",
    "campaign/maps/base/layout.py Layout.far_names": "the names of a base map that are in other places",
    "campaign/maps/base/layout.py Layout.id_of": "the ids of a base map",
    "campaign/maps/base/layout.py Layout.letters": "boxes of the names of a base map",
    "campaign/maps/base/layout.py Layout.number_of": "the names of a base map",
    "campaign/maps/base/layout.py Layout.room": "the same",
    "campaign/maps/base/layout.py Layout.spots": "where markers fit on a base map, by kind and place",
    "campaign/maps/base/layout.py _LAYOUTS": "base maps laid out, by base map, width and scheme",
    "campaign/maps/base/layout.py _SURVEYS": "the same, by base map and width",
    "campaign/maps/chart.py _press": "palettes, by sides and scheme",
    "campaign/maps/drawing/disk_cache.py DISK_CACHE": "base pictures, by base map, width and scheme",
    "campaign/maps/drawing/edition.py digest_of": "of a base map",
    "campaign/maps/drawing/edition.py edition": "the code of the maps",
    "campaign/maps/drawing/ink.py cap_height": "the project's fonts",
    "campaign/maps/drawing/ink.py font": "the same",
    "campaign/maps/drawing/png.py Palette.index": "the colours of a palette",
    "campaign/maps/land/features.py Places.extent": "of a base map",
    "campaign/maps/land/landmarks.py mark_stamp": "the marks of kinds of land",
    "campaign/maps/land/projection.py Projection.scale": "of a base map",
    "campaign/maps/land/projection.py size_of": "the same",
    "campaign/maps/painter.py SHEETS": "base maps drawn, by base map, width and scheme; with PIECES cut for them",
    "campaign/maps/painter.py Sheet._paper": "their weight",
    "campaign/maps/place_descriptions.py _fields_of": "the patterns of declared signs",
    "campaign/maps/place_descriptions.py _ways": "of a base map",
    "campaign/maps/place_descriptions.py key_of": "the names of places",
    "campaign/maps/place_descriptions.py neighbours": "of a base map",
    "campaign/maps/style/declared.py declared": "the signs of a ruleset",
    "campaign/record/dice_log.py script": "the verification script",
    "campaign/rulesets/forum_campaign/bots/assessment/ways.py _POINTS": "distances on a map, by where they lead to",
    "campaign/rulesets/forum_campaign/bots/assessment/ways.py worth_by_points": "numbers, by movement points",
    "campaign/rulesets/area_activation/model/game_data.py GameData.board": "of a scenario's map",
    "campaign/rulesets/area_activation/rules/situation.py Situation.crowd": "of a position, which is gone with its use",
    "campaign/rulesets/area_activation/rules/situation.py Situation.held_by_enemy": "the same",
    "campaign/rulesets/area_activation/sheets/day_lines.py DayLines._foreseen": "of a sheet, gone with its answer",
    "campaign/rulesets/area_activation/sheets/reply_lines.py ReplyLines._before": "the same",
    "campaign/rulesets/area_activation/sheets/reply_lines.py ReplyLines._ways": "the same",
    "campaign/rulesets/forum_campaign/bots/sky.py _chance": "chances of dice",
    "campaign/rulesets/forum_campaign/model/game_data.py GameData.open_board": "of a scenario's map",
    "campaign/rulesets/forum_campaign/model/game_data.py GameData.place_names": "the same",
    "campaign/rulesets/forum_campaign/model/terrain_costs.py _GROUNDS": "a scenario's map, by the weather",
    "campaign/secrecy/truth.py _named": "the secret tables in the text of a statement, without its values",
    "campaign/secrecy/truth.py secret_tables": "the models",
    "campaign/services.py _READ": "scenarios without their start, by their digests without an entered position",
    "campaign/services.py _SHARED": "digests of scenarios without an entered position, by those with it",
    "campaign/views/glossary.py _text": "the glossary",
}
"""Made from rules, scenarios, fonts, styles, base maps and code."""

PIECES: Mapping[str, str] = {
    "campaign/maps/drawing/ink.py STAMPS": "stamps, by the function that makes them and its arguments",
    "campaign/maps/drawing/ink.py one_line": "a text, by itself",
    "campaign/maps/drawing/ink.py width_of": "of a text, by text and print",
    "campaign/maps/drawing/inlay.py bend": "a curve, by its points",
    "campaign/maps/drawing/paper.py PalettePrinter.__init__": "stamps in the colours of one palette, by stamp",
    "campaign/maps/land/bends.py _bend": "a corner of a line, by its points",
    "campaign/maps/signs/arrows.py covered": "of a leg of an arrow, by its points",
    "campaign/maps/signs/arrows.py visible": "the same",
    "campaign/maps/signs/counters.py words_of": "the boxes of a counter's words, by all that is printed on it",
    "campaign/maps/stacks.py _half": "of a pile, by the sizes in its rows",
    "campaign/maps/stacks.py _ways": "the rows of a pile, by the number of its counters",
    "campaign/maps/vector.py _figure": "a counter, by all that is printed on it",
}
"""Pieces of pictures: functions of nothing but the values in their keys."""

OBJECTS: Mapping[str, str] = {
    "campaign/maps/furniture.py Table.columns": "a table while one map is drawn",
    "campaign/maps/furniture.py Table.width": "the same",
    "api/operations.py Call.game_master": "the caller of one request, looked up once",
    "api/operations.py Call.viewer": "the caller of one request, looked up once",
    "campaign/record/dice_log.py Log.rolls": "a log while one page is made",
    "orders/answers.py Answer.lines": "an answer while one page is made",
    "orders/guide/course.py Course._asked": "where a reader is in the guide while one page is made",
    "orders/guide/course.py Course._asked_info": "the same",
    "orders/guide/course.py Course._lines": "the same",
    "orders/guide/course.py Course._over": "the same",
    "orders/guide/course.py Course._own": "the same",
    "orders/guide/course.py Course._phases": "the same",
    "orders/guide/course.py Course._sent": "the same",
    "orders/guide/course.py Course._text": "the same",
    "orders/guide/course.py Course._told": "the same",
    "orders/guide/course.py Course._where": "the same",
    "orders/guide/course.py Course.at": "the same",
    "orders/guide/course.py Course.guide": "the same",
    "orders/guide/course.py Course.step": "the same",
    "orders/guide/course.py Course.writes": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.days_left": "a bot's, of one phase",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.firm": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.foe_strengths": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.foe_worths": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.foes": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.free_foes": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.held": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.in_reach": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.lines": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.outlooks": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.own_worths": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.per_strength": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.ranges": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.strengths": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.their_lines": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.theirs": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.threats": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/assessment.py Assessment.units": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines._always": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines._board": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines._edge": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines._free": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines._not_kept_open": "the same",
    "campaign/rulesets/forum_campaign/bots/assessment/lines.py Lines.supplied": "the same",
    "campaign/rulesets/forum_campaign/choices.py _Written.checked": "a draft while its choices are listed",
    "campaign/rulesets/forum_campaign/choices.py _Written.routed": "the same",
    "campaign/rulesets/forum_campaign/model/movement_costs.py MovementCosts.clear": "a sheet while it is checked",
    "campaign/rulesets/forum_campaign/model/movement_costs.py MovementCosts.through": "the same",
    "campaign/rulesets/forum_campaign/model/movement_costs.py Terms.costs": "the same",
    "campaign/rulesets/forum_campaign/model/situation.py Situation.seen_enemy": "the same",
    "gm/acts.py _Names._battles": "the battles of a campaign while one page is made",
    "gm/acts.py _Names._members": "its members, likewise",
    "gm/acts.py _Names._phases": "its phases, likewise",
}
"""Properties of objects that are made from state and are gone with the call: a test looks for survivors."""

MACHINERY: Mapping[str, str] = {
    "campaign/apps.py DISK_CACHE": "its folder, from the settings",
    "campaign/core/failpoints.py _passed": "faults that a test provokes",
    "campaign/maps/drawing/disk_cache.py DiskCache._lock": "an empty file, to be locked",
    "campaign/maps/drawing/disk_cache.py DiskCache._write": "the files of DISK_CACHE",
    "stories/keeping.py _locked": "an empty file, to be locked",
    "campaign/maps/land/terrain.py ImageChops": "no container: a module of Pillow's, with a function called add",
    "campaign/game/bars.py Kept.add": "the results of games between bots, in a file that the command names",
    "campaign/mail/notes.py _UNWRITTEN": "what became of mails, until the database takes a note of it",
    "campaign/mail/notes.py sending": "an empty file, to be locked",
    "campaign/management/commands/check_scenario.py Command.handle": "a scenario's own map, where its author says",
    "archive/jobs.py _make": "the files of an archive, in a folder that its token names",
    "archive/management/commands/export.py Command.handle": "the export, where its reader says",
    "archive/writing.py write_folder": "an archive, where its reader says",
    "campaign/middleware.py guarded_truth.middleware": "the reader of one request, looked up once",
    "campaign/middleware.py _reader": "whether a story is open to the reader of one request, looked up once",
    "campaign/middleware.py private_pages.middleware": "forbids caches to keep pages",
    "campaign/people/sessions.py follow in the session": "marks that the newest session goes to its own browser",
    "campaign/record/persons.py _changed": "whose rows one transaction has changed; emptied when it ends",
    "campaign/secrecy/memory.py KeyedMemory.__init__": "the memories that have keys",
    "campaign/secrecy/memory.py _MEMORIES": "a list of them",
    "campaign/secrecy/truth.py _opened": "the tables that a block has opened; reset when it ends",
    "campaign/secrecy/truth.py _reader": "who receives what a block writes; reset when it ends",
    "campaign/views/maps/board.py _sheet": "lets a browser keep the base map, which is the same for every audience",
    "campaign/views/creation.py scenario_map": "lets a browser keep the maps of supplied scenarios",
    "posting/network.py _LINE": "the connection of one request to another server; reset when it ends",
    "campaign/views/people/entrance.py _join in the session": "the invitation that somebody came with is used up",
    "campaign/views/people/entrance.py invitation in the session": "the invitation that somebody came with",
    "campaign/views/people/roster.py memberships": "no container: a module with a function called remove",
    "deploy/settings.py the module": "Django's cache in the database: only the accounts' library counts tries there",
    "gm/machine/rendered_bases.py _FAILED": "which base pictures could not be drawn, and when",
    "gm/machine/rendered_bases.py _LOOKED": "which scenarios have all base pictures, and when that was found",
    "gm/machine/serving.py os": "the settings of the processes that `serve` starts",
    "gm/management/commands/demo.py _write": "the demonstration's files, where its reader says",
    "gm/management/commands/serve.py _keep_address": "the server's own address",
    "gm/management/commands/serve.py settings": "the same",
}
"""What the service remembers of itself, and of a browser for that browser."""

DECLARED: Mapping[str, str] = {**CONSTANTS, **PIECES, **OBJECTS, **MACHINERY}

_OWNERS = frozenset({*DECLARED, *(place.removesuffix(".__init__") for place in DECLARED)})
"""What is declared, and the classes whose `__init__` is: all that is in them is declared, too."""


def is_declared(place: str) -> bool:
    """Whether a list names this, or what it is in."""
    return place in DECLARED or any(place[:at] in _OWNERS for at, letter in enumerate(place) if letter == ".")


def forget_all() -> None:
    """Empty what was made from state: what has keys, and the pieces of pictures. Constants stay."""
    memory.forget_all()
    for kept in pieces():
        _empty(kept)


def forget_constants() -> None:
    """Empty what was made from rules, scenarios and code, but for the pictures on the disk."""
    for kept in constants():
        if kept is not DISK_CACHE:
            _empty(kept)


def _empty(kept: Any) -> None:
    (kept.cache_clear if hasattr(kept, "cache_clear") else kept.clear)()


def pieces() -> Iterator[Any]:
    """The caches of PIECES; those of a base map's printer go with the printer."""
    return _of_modules(PIECES)


def constants() -> Iterator[Any]:
    """The caches of CONSTANTS; what an object remembers goes with the object."""
    return _of_modules(CONSTANTS)


def _of_modules(places: Iterable[str]) -> Iterator[Any]:
    for place in places:
        path, name = place.split()
        if "." not in name:
            yield getattr(import_module(path.removesuffix(".py").replace("/", ".")), name)
