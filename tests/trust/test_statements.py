"""What SQL statements read, in the words of both databases."""

import pytest

from campaign.secrecy.statements import Unreadable, readings

TABLES = {"sheet": frozenset({"id", "side", "text", "phase"}), "stop": frozenset({"id", "truth", "day"})}

READS: dict[str, list[tuple[str, bool, str, dict[str, list[int]]]]] = {
    'SELECT "other"."text" FROM "other"': [],
    'SELECT "stop"."id" FROM "stop" WHERE "stop"."id" = %s LIMIT 1': [("stop", True, "id", {"id": [0]})],
    "SELECT * FROM stop": [("stop", True, "day id truth", {})],
    "SELECT COUNT(*) FROM stop": [("stop", True, "", {})],
    "SELECT Truth, day * 2 FROM STOP s": [("stop", True, "day truth", {})],
    'SELECT "stop"."day" AS "truth" FROM "stop"': [("stop", True, "day", {})],
    'SELECT "TRUTH" FROM "STOP"': [("stop", True, "truth", {})],
    "SELECT s.* FROM stop AS s": [("stop", True, "day id truth", {})],
    'SELECT 1 FROM "sheet"'
    ' WHERE (NOT ("sheet"."id" = 1) AND ("sheet"."side" = %s) AND "sheet"."text" LIKE %s ESCAPE \'\\\')': [
        ("sheet", True, "id side text", {"side": [0]})
    ],
    'SELECT 1 FROM "sheet" WHERE NOT ("sheet"."side" = %s)': [("sheet", True, "side", {})],
    'SELECT 1 FROM "sheet" WHERE ("sheet"."side" = %s OR "sheet"."id" = %s)': [("sheet", True, "id side", {})],
    'SELECT 1 FROM "sheet" GROUP BY "sheet"."phase" HAVING "sheet"."side" = %s': [("sheet", True, "phase side", {})],
    'SELECT %s, T2."day" FROM "sheet" INNER JOIN "stop" T2 ON ("sheet"."phase" = T2."id") WHERE "sheet"."side" = %s': [
        ("sheet", True, "phase side", {"side": [1]}),
        ("stop", True, "day id", {}),
    ],
    'SELECT 1 FROM "stop" WHERE EXISTS(SELECT 1 FROM "sheet" U0 WHERE (U0."phase" = ("stop"."id") AND U0."side" = %s))'
    ' ORDER BY "stop"."truth" DESC FOR NO KEY UPDATE OF "stop"': [
        ("stop", True, "id truth", {}),
        ("sheet", True, "phase side", {"side": [0]}),
    ],
    'INSERT INTO "sheet" ("text", "side") VALUES (%s, %s), (%s, %s) RETURNING "sheet"."id"': [],
    'INSERT INTO "sheet" ("day") SELECT * FROM UNNEST((%s)::timestamp with time zone[]) RETURNING "sheet"."id"': [],
    'INSERT INTO "sheet" ("text") VALUES (%s) RETURNING "sheet"."id", "sheet"."text"': [("sheet", True, "id text", {})],
    'INSERT OR IGNORE INTO "other" ("x") SELECT text FROM sheet': [("sheet", True, "text", {})],
    'UPDATE "sheet" SET "text" = %s, "side" = ("sheet"."phase" || %s) WHERE "sheet"."id" = %s': [
        ("sheet", False, "id phase", {"id": [2]})
    ],
    'UPDATE "stop" SET "day" = %s RETURNING truth': [("stop", False, "", {}), ("stop", True, "truth", {})],
    'DELETE FROM "sheet" WHERE "sheet"."id" IN (%s, %s)': [("sheet", False, "id", {})],
    'SELECT x FROM (SELECT "stop"."truth" AS "x" FROM "stop") subquery': [("stop", True, "truth", {})],
    "SELECT 'it''s a stop' FROM other": [],
}


@pytest.mark.parametrize("sql", READS)
def test_what_is_read(sql: str) -> None:
    found = [(each.table, each.selects, " ".join(sorted(each.columns)), each.held) for each in readings(sql, TABLES)]
    expected = [(table, selects, columns, held) for table, selects, columns, held in READS[sql]]
    assert [each[:3] for each in found] == [each[:3] for each in expected]
    for (*_, held), (*_, known) in zip(found, expected, strict=True):
        assert {column: held.get(column) for column in known} == known
        assert "side" not in held or "side" in known


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT s FROM stop s",
        "SELECT row_to_json(stop) FROM stop",
        "SELECT s.nothing FROM stop s",
        "SELECT 1 FROM other, stop",
        "SELECT 1 FROM public.stop",
        "SELECT EXTRACT(YEAR FROM stop.truth) FROM stop",
        "SELECT other.x FROM other WHERE stop.truth = 1",
        "SELECT 1 FROM other UNION SELECT truth FROM stop",
        "(SELECT 1 FROM other) UNION (SELECT truth FROM stop)",
        "SELECT (SELECT 1 UNION SELECT truth FROM stop)",
        "WITH a AS (SELECT truth FROM stop) SELECT * FROM a",
        "SELECT (WITH a AS (SELECT truth FROM stop) SELECT 1 FROM a)",
        "SELECT 1 FROM stop -- WHERE",
        "SELECT 1 FROM stop /* WHERE */",
        "SELECT 1 FROM stop; SELECT 1",
        "SELECT $$x$$ FROM stop",
        "SELECT E'x\\'' FROM stop",
        "SELECT 1 FROM stop WHERE (id = 1",
        "SELECT 1 FROM stop) WHERE (id = 1",
        "COPY stop TO STDOUT",
        "EXPLAIN SELECT 1 FROM stop",
        "TABLE stop",
        "SELECT truth FROM 'stop'",
        "SELECT truth FROM other, 'stop'",
        "SELECT truth FROM other JOIN 'Stop'",
        "UPDATE 'stop' SET day = 1 RETURNING truth",
        "DELETE FROM 'stop' RETURNING truth",
        "INSERT INTO 'stop' (day) VALUES (1) RETURNING truth",
        "SELECT truth FROM ONLY stop",
        "UPDATE ONLY stop SET day = 1 RETURNING truth",
    ],
)
def test_what_nobody_here_understands_is_not_guessed_at(sql: str) -> None:
    with pytest.raises(Unreadable):
        readings(sql, TABLES)
