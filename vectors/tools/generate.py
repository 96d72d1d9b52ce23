"""Writes every vector that is not a recorded case: `python generate.py`.

The outcomes are computed with cbor2, BLAKE3, NumPy and SciPy or follow from how an input was made; see gen_*.py.
"""

import gen_bao
import gen_payloads
import gen_plans
import gen_tags
import gen_tracks
import gen_types
import store


def files():
    """Path below `vectors/` → text."""
    parts = (gen_types, gen_tags, gen_payloads, gen_tracks, gen_bao, gen_plans)
    return store.files_of([vector for part in parts for vector in part.vectors()])


if __name__ == "__main__":
    store.write(files())
    store.write_divergences()
