"""Checks the vectors: `python check.py [FOLDER]` with the folder of recorded cases, if they are at hand.

Every vector fits schema.json and says what the naive implementation in model.py makes of it; ids are unique; no JSON
number is an integer that a double cannot hold; files and divergences.json are what the tools write.
"""

import json
import sys

import jsonschema

import generate
import import_cases
import model
import store
from wire import SAFE_END, Refusal


def problem_of(vector):
    """What the naive implementation makes of the vector, if it is something else than expected."""
    try:
        results, error = model.run(vector), None
    except Refusal as refusal:
        results, error = {}, refusal
    if (error and error.code) != vector.get("expected_error"):
        return f"expected {vector.get('expected_error', 'acceptance')}, got {error or 'acceptance'}"
    subject = vector.get("expected_subject")
    if subject is not None and subject != error.subject:
        return f"expected to be about {subject}, is about {error.subject}"
    named = [key for key in vector if key.startswith("expected_") and key not in ("expected_error", "expected_subject")]
    differing = [key for key in named if results.get(key) != vector[key]]
    return f"differs in {', '.join(differing)}" if differing else None


def unsafe(value):
    """Whether some integer in `value` is more than every JSON parser keeps."""
    if isinstance(value, dict):
        return any(map(unsafe, value.values()))
    if isinstance(value, list):
        return any(map(unsafe, value))
    return type(value) is int and abs(value) >= SAFE_END


def main(folder):
    passed, problems = 0, []

    def expect(true, text):
        nonlocal passed
        passed += bool(true)
        if not true:
            problems.append(text)

    schema = json.loads((store.ROOT / "schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    one = jsonschema.Draft202012Validator(schema | {"oneOf": [{"$ref": "#/$defs/vector"}]})
    ids, occurring = {}, set()
    for path in store.paths():
        name = path.relative_to(store.ROOT).as_posix()
        vectors, faulty = store.load(path), False
        for vector in vectors:
            label = f"{name} {vector.get('id')}"
            fault = next(iter(one.iter_errors(vector)), None)
            if fault is not None:
                expect(False, f"{label}: {fault.message[:300]}")
                faulty = True
                continue
            expect(vector["id"] not in ids, f"{label}: also in {ids.get(vector['id'])}")
            ids[vector["id"]] = name
            expect(store.FOLDERS[vector["spec"], vector["category"]] == name.rsplit("/", 1)[0], f"{label}: in the wrong folder")
            expect(not unsafe(vector), f"{label}: an integer beyond 2^53 - 1")
            problem = problem_of(vector)
            expect(problem is None, f"{label}: {problem}")
            occurring.add(vector.get("expected_error"))
        expect(faulty or store.text_of(vectors) == path.read_text(), f"{name}: not as the tools write it")
    unused = set(schema["$defs"]["errorClass"]["enum"]) - occurring
    expect(not unused, f"classes of schema.json that no vector expects: {sorted(unused)}")
    written = generate.files()
    if folder is not None:
        written |= import_cases.files(folder)
    for name, text in written.items():
        path = store.ROOT / name
        expect(path.exists() and path.read_text() == text, f"{name}: generating it again gives another file")
    for path in store.paths():
        name = path.relative_to(store.ROOT).as_posix()
        recorded = all(vector["source"] == "reference" for vector in store.load(path))
        expect(name in written or folder is None and recorded, f"{name}: no tool writes it")
    expect(store.divergences_text() == (store.ROOT / "divergences.json").read_text(), "divergences.json is not that of the vectors")
    for text in problems:
        print(text)
    print(f"{len(ids)} vectors")
    print(f"{passed} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
