"""Laws of the vault: what is put comes back, nothing altered is believed, what is masked shows nowhere."""

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium_core.problem import Problem
from scriptorium_core.sealing import vault
from scriptorium_core.sealing.masking import forms_of, masked
from scriptorium_core.sealing.names import Key, KeyVersion
from scriptorium_core.sealing.secretname import Kept, checked_name, entry_named, vault_named
from scriptorium_core.sealing.vault import Vault

KEY = Key(KeyVersion("key-1"), bytes(range(32)))
OTHER = Key(KeyVersion("key-1"), bytes(range(1, 33)))
VALUES = st.binary(min_size=4, max_size=200)
NAMES = st.from_regex(r"[a-z][a-z0-9_-]{0,12}", fullmatch=True)
MASK = b"[secret:vault]"


def sealed(secrets: dict[str, bytes]) -> bytes:
    """The file of a vault with these secrets; ids and IVs are counted instead of drawn."""
    whole = Vault(vault_named("0" * 32), "key-1")
    entries = tuple(
        vault.sealed_entry(
            whole,
            Kept(name, "text", "2026-11-30T10:00:00+00:00", "2026-11-30T10:00:00+00:00"),
            value,
            KEY,
            entry_named(f"{number:032x}"),
            number.to_bytes(12, "big"),
        )
        for number, (name, value) in enumerate(secrets.items(), 1)
    )
    return vault.written(Vault(whole.id, "key-1", entries), KEY, bytes(12))


class TestVault:
    """Named secrets, encrypted, outside the memory directory."""

    @given(st.dictionaries(NAMES, VALUES, max_size=4))
    def test_what_is_put_comes_back(self, secrets: dict[str, bytes]) -> None:
        data = sealed(secrets)
        found = vault.opened(data, KEY, "vault")
        assert isinstance(found, Vault)
        assert {e.kept.name: vault.revealed(found, e, KEY, "vault") for e in found.entries} == secrets
        assert vault.written(found, KEY, bytes(12)) == data
        assert all(checked_name(name) == name for name in secrets)
        assert isinstance(vault.opened(data, OTHER, "vault"), Problem)

    @given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3), st.data())
    def test_no_altered_byte_is_believed(self, secrets: dict[str, bytes], draw: st.DataObject) -> None:
        data = sealed(secrets)
        place = draw.draw(st.integers(0, len(data) - 1))
        byte = draw.draw(st.integers(0, 255))
        assume(byte != data[place])
        found = vault.opened(data[:place] + bytes([byte]) + data[place + 1 :], KEY, "vault")
        assert isinstance(found, Problem)

    @given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3))
    def test_nothing_of_it_stands_in_the_file(self, secrets: dict[str, bytes]) -> None:
        data = sealed(secrets)
        for value in secrets.values():
            assert len(value) < 8 or value not in data


class TestMasking:
    """No call returns a secret to a model."""

    @given(
        st.lists(st.one_of(st.text("ab\n", max_size=6).map(str.encode), st.none()), max_size=8),
        st.text("ab\n", min_size=4, max_size=16).map(str.encode),
        st.lists(st.integers(1, 9), min_size=1, max_size=5),
    )
    def test_a_stream_is_masked_alike_wherever_it_is_cut_and_holds_no_form(
        self, parts: list[bytes | None], value: bytes, sizes: list[int]
    ) -> None:
        forms = forms_of(value)
        data = b"".join(value if part is None else part for part in parts)
        whole = masked(data, forms, last=True)
        out, waiting, at, turn = b"", b"", 0, 0
        while at < len(data):
            size = sizes[turn % len(sizes)]
            ready, waiting = masked(waiting + data[at : at + size], forms)
            out, at, turn = out + ready, at + size, turn + 1
        out += masked(waiting, forms, last=True)[0]
        assert whole == (out, b"")
        assert not any(form in piece for piece in out.split(MASK) for form in forms)
