"""Forty hard names: as they are typed, as they are kept, what finds them, how they are abbreviated.

Used by the tests of forms, imports, searches, pages and paper, so that a rule about names is tried
where people meet it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HardName:
    """`kept`: empty for as typed; `found_by`: searches that find it; `short`: first name and
    initial."""

    typed: str
    found_by: tuple[str, ...]
    short: str
    kept: str = ""

    @property
    def name(self) -> str:
        return self.kept or self.typed


LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte"  # 60 letters, one word
WIDE = "W" * 60

HARD_NAMES: tuple[HardName, ...] = (
    # Apostrophes and hyphens, as phones and keyboards have them
    HardName("Aoife O’Brien", ("obrien", "O'Brien", "o’brien", "o brien", "aoife"), "Aoife O."),
    HardName("Maria D'Angelo", ("dangelo", "d’angelo", "d´angelo", "angelo"), "Maria D."),
    HardName("Charles d’Artagnan", ("dartagnan", "artagnan", "d'artagnan"), "Charles A."),
    HardName("Gerard ’t Hooft", ("hooft", "'t hooft", "gerard t hooft"), "Gerard H."),
    HardName("Jean-Luc Dupont", ("jean luc", "jeanluc", "jean-luc", "JEAN‐LUC"), "Jean-Luc D."),
    HardName("Gal·la Puig", ("galla", "gal·la", "gal.la"), "Gal·la P."),
    # Letters without an accent that could be taken off
    HardName("Đorđe Đukić", ("dorde", "đorđe", "djordje", "dukic"), "Đorđe Đ."),
    HardName("Guðrún Þórsson", ("thor", "gudrun", "þórs", "thorsson"), "Guðrún Þ."),
    HardName("Ægir Øster", ("aegir", "oster", "oester", "ægir"), "Ægir Ø."),
    HardName("Łukasz Żółć", ("lukasz", "zolc", "łukasz"), "Łukasz Ż."),
    HardName("Cécile Cœurdassier", ("coeur", "cecile", "cœur"), "Cécile C."),
    HardName("Jürgen Groß", ("jurgen", "juergen", "gross", "GROẞ"), "Jürgen G."),
    HardName("Ġorġ Ħaż-Żebbuġ", ("gorg", "haz", "hazzebbug", "haz-zebbug"), "Ġorġ Ħ."),
    HardName("İrem Işık", ("irem", "isik", "İREM", "IŞIK", "ışık"), "İrem I."),
    HardName("ŋuli Ŋarra", ("nuli", "narra", "ŊULI"), "ŋuli Ŋ."),
    # Particles, two surnames, two given names, suffixes, the other way round
    HardName("María Ñuñez Ortiz", ("nunez", "ortiz maria", "ñuñez"), "María Ñ."),
    HardName("Ana María López", ("lopez", "ana lopez", "Ana  María"), "Ana L."),
    HardName("José María de la Cruz", ("cruz", "de la cruz", "jose"), "José C."),
    HardName("Jan van der Berg", ("berg", "van der berg", "berg, jan"), "Jan B."),
    HardName("Villanueva, Ana", ("villanueva, ana", "ana villanueva", "villanueva"), "Ana V."),
    HardName("John F. Kennedy, Jr.", ("kennedy", "john kennedy", "jr"), "John K."),
    HardName("Nguyễn Thị Ánh", ("nguyen", "anh", "thi anh", "nguyễn"), "Nguyễn T."),
    # Other alphabets, found by Latin letters as well
    HardName("Νίκος Παπαδόπουλος", ("nik", "Νικος", "papadopoulos", "ΠΑΠΑΔΟΠΟΥΛΟΣ"), "Νίκος Π."),
    HardName("Дмитрий Щербаков", ("dmitri", "dmitry", "дмитрий", "shcherbakov"), "Дмитрий Щ."),
    HardName("Ђорђе Јовановић", ("djordje", "dorde", "jovanovic", "ЈОВАНОВИЋ"), "Ђорђе Ј."),
    HardName("李小龍", ("李小龍", "小龍"), "李小龍"),
    HardName("田中 太郎", ("田中", "太郎 田中"), "田中 太."),
    HardName("김민준", ("김민준", "민준"), "김민준"),
    HardName("محمد العلي", ("محمد", "العلي"), "محمد ع."),
    HardName("राम श्रीवास्तव", ("राम", "श्रीवास्तव"), "राम श्री."),
    HardName("สมชาย เสกสรร", ("สมชาย", "เสกสรร"), "สมชาย เส."),
    # Short, long, odd
    HardName("Q", ("q", "Q"), "Q"),
    HardName(LONG, ("donaudampf", "elektrizitaeten", "bauunte"), LONG),
    HardName(WIDE, ("wwww",), WIDE),
    HardName("R2-D2", ("r2d2", "r2 d2", "R2-D2"), "R2-D2"),
    HardName("Zoë 🦊 Fox", ("zoe fox", "fox"), "Zoë F."),
    # What is pasted along and is not to be seen
    HardName("  José\u00a0\tPérez ", ("jose perez",), "José P.", kept="José Pérez"),
    HardName(
        "Eri\u00adka\u200b Le\ufeff Goff", ("erika", "goff"), "Erika G.", kept="Erika Le Goff"
    ),
    HardName("\u202eEva\u202c Ruiz\u200f", ("eva ruiz",), "Eva R.", kept="Eva Ruiz"),
    HardName("Zoe\u0308 Mu\u0308ller", ("zoe", "mueller", "muller"), "Zoë M.", kept="Zoë Müller"),
    HardName("مینا می\u200cخواه", ("مینا", "میخواه"), "مینا م."),
)

# Never a name: the form and the import say so.
NO_NAMES = (
    "",
    " \u200b\u3164 ",
    "...",
    "★★",
    "a\x07b",
    "Ana\ufffd",
    "Ana\ue000",
    "Z̶̴̷̵̸algo".replace("Z", "Z\u0300\u0301\u0302\u0303\u0304"),
    "x" * 61,
)
