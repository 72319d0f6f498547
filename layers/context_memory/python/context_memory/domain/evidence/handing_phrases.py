"""Sentences that hand a text over whatever their verb: "What's wrong with this text?", "My boss emailed me this.".

Patterns for one sentence in lower case with straight apostrophes and single blanks.
"""

from __future__ import annotations

_END = r"[ .,;:!]*$"
_UP_TO_TWO_WORDS = r"(?: (?!(?:is|was|are|were)\b)[\w'-]+){0,2}"

_EN_TEXT = (
    r"(?:texts?|e-?mails?|messages?|letters?|articles?|documents?|paragraphs?|passages?|posts?|reports?|essays?|"
    r"abstracts?|papers?|notes|minutes|transcripts?|threads?|story|stories|speech|statements?|contracts?|comments?|"
    r"reviews?|tweets?|poems?|drafts?|sentences?|snippets?|quotes?|cv|resume)"
)
_EN_THIS_TEXT = rf"\b(?:this|these|the following){_UP_TO_TWO_WORDS} {_EN_TEXT}"
# "The speech", "the poem", "the report" may be one that is still to be written.
_EN_THE_TEXT = (
    rf"\bthe{_UP_TO_TWO_WORDS} "
    r"(?:texts?|e-?mails?|messages?|articles?|documents?|paragraphs?|passages?|posts?|abstracts?|transcripts?|threads?|"
    r"sentences?|snippets?|quotes?)"
)
_EN_BEHIND = r"(?: (?:below|above|here|for me|please|pls|again))*"
_EN_SENT_WHEN = r"(?: (?:today|yesterday|just now|earlier))?"
# "I wrote this text." tells, "thanks for this article" closes, "help me write this report" has none yet.
_EN_NO_NARRATION = r"^(?!(?:thank|sorry))(?!.*\b(?:i|i'm|i've|i'd|i'll|we|we're|we've)\b)"
_EN_NOTHING_FOR_LATER = r"(?!.*\b(?:remember|remind|forget|write|finish|submit|prepare|start)\b)"
_EN_ASKS = (
    r"(?:(?:please|can you|could you),? )?(?:give|tell|show|list|find|get|pull|identify|detect|highlight|mark|rate|"
    r"judge|criti\w+|compare|discuss|describe|continue|complete|expand|outline|tag|label|search|count|consider|convert|"
    r"see|here's|here is|this is|what|what's|which|is|are|does)\b"
)

_DE_TEXT = (
    r"(?:text(?:e[sn]?|s)?|e-?mails?|mails?|artikels?|dokument(?:e[sn]?|s)?|absatz(?:es)?|absätze|brief(?:es)?|"
    r"nachricht(?:en)?|abschnitt|beitrag|bericht|aufsatz|protokoll|vertrag|entwurf|satz|sätze|kommentar|gedicht)"
)
_DE_THIS_TEXT = rf"\b(?:dies(?:e[mnrs]?)?|folgende[mnrs]?)(?: [\w-]+)? {_DE_TEXT}\b"
_DE_NO_NARRATION = r"^(?!(?:danke|sorry))(?!.*\b(?:ich|wir)\b)"

THIS_TEXT = (
    rf"{_EN_THIS_TEXT}\b",
    rf"\b{_EN_TEXT} below\b",
    _DE_THIS_TEXT,
    r"\b(?:ce|cet|cette|ces) (?:textes?|articles?|e-?mails?|mails?|courriels?|documents?|lettre|messages?|passages?)\b",
    r"\best[eoa]s? (?:textos?|correos?|e-?mails?|artículos?|documentos?|carta|mensajes?|párrafos?)\b",
    r"\bquest[oaie] (?:test[oi]|e-?mail|mail|document[oi]|lettera|messagg\w+|paragrafo)\b|\bquest'articolo\b",
    r"\best[ea]s? (?:artigos?|mensage\w+|parágrafos?)\b",
    r"\b(?:deze|dit) (?:tekst(?:en)?|e-?mails?|mails?|artikel|document|brief|bericht(?:en)?|alinea)\b",
)
"""One text at hand, named: a request that holds it is about a text even if its verb goes with anything."""

CLEAR = (
    rf"{_EN_NO_NARRATION}{_EN_NOTHING_FOR_LATER}.*{_EN_THIS_TEXT}{_EN_BEHIND}{_END}",
    # A question may hold an "I": "Should I sign this contract?".
    rf"^{_EN_NOTHING_FOR_LATER}.*(?:{'|'.join(THIS_TEXT)}).*\?$",
    rf"{_EN_NO_NARRATION}{_EN_NOTHING_FOR_LATER}{_EN_ASKS}.*{_EN_THIS_TEXT}\b",
    r"(?:^|\b(?:please|you),? )(?:respond|reply) to (?:this|the following)[ .:!?]*$",
    r"^i (?:don't|do not|can't|cannot) understand (?:this|the following)\b",
    rf"{_EN_NO_NARRATION}{_EN_NOTHING_FOR_LATER}{_EN_ASKS}.*{_EN_THE_TEXT}{_EN_BEHIND}[ ?]*{_END}",
    rf"{_EN_NO_NARRATION}{_EN_NOTHING_FOR_LATER}{_EN_ASKS}.*\bthe following{_END}",
    (
        rf"{_EN_NO_NARRATION}.*\b(?:e-?mailed|posted|sent|wrote|texted|messaged|forwarded|shared)"
        rf"(?: (?:me|us|to me|to us))? this(?: {_EN_TEXT})?{_EN_SENT_WHEN}{_END}"
    ),
    rf"^i (?:just |also )?(?:got|received|found|saw) this(?: {_EN_TEXT})?{_EN_SENT_WHEN}{_END}",
    (
        r"(?:^|\b(?:please|you|and|now|then),? )(?:(?:turn|convert|make|put|bring|transform|change) "
        r"(?:this|that|it|these|them|the following) into|(?:convert|transform|change) (?:this|these|the following) to|"
        r"(?:put|bring) (?:this|these|the following) in an?|"
        r"make this an? (?:\w+ )?(?:table|list|poem|song|summary|email)|"
        r"(?:turn|make|convert|transform) .{1,60} (?:out of|from|of) (?:this|these|that|the following)|"
        rf"(?:turn|make|convert|transform|put|bring) {_EN_THIS_TEXT})\b"
    ),
    (
        r"(?:^|\b(?:please|you),? )make this "
        r"(?:sound|read|look|feel|flow|more|less|shorter|longer|clearer|simpler|nicer|better)\b"
    ),
    (
        r"(?:^|\b(?:please|you),? )(?:extract|list|find|highlight|identify|pull out) (?:all |the |all the |any )"
        r"(?:key |main |action )?(?:points|names|dates|arguments|takeaways|items|typos|errors|mistakes|keywords)"
        rf"[ ?]*{_END}"
    ),
    r"(?:^|\b(?:please|you),? )count the (?:words|characters|letters|sentences|lines|syllables|tokens)\b",
    (
        r"\b(?:language|tone|sentiment|gist|meaning|point|essence|sense|grammar|spelling|style|source|author|title) of "
        rf"(?:this|these|the following)[ ?]*{_END}"
    ),
    rf"{_DE_NO_NARRATION}.*{_DE_THIS_TEXT}(?: (?:bitte|hier))*[ ?]*{_END}",
    rf"^zu {_DE_THIS_TEXT} (?:brauche|hätte|möchte|will) ich\b",
    (
        r"^(?!ich\b|wir\b).*\b(?:mir|uns) (?:gerade |heute |gestern )?(?:das|dies|folgendes)(?: hier)? "
        rf"(?:geschrieben|geschickt|gesendet|gemailt|weitergeleitet){_END}"
    ),
    r"(?:^|\bbitte )(?:mache?|machen sie|erstelle?|schreibe?)\b(?: mir)?(?: bitte)? daraus\b",
    (
        r"(?:^|\bbitte )(?:wandle|wandel|bringe?|setze?|verwandle|konvertiere)\b(?: bitte)? "
        r"(?:das|dies|es|den text|das folgende|folgendes)\b.* in\b"
    ),
    r"(?:^|\bbitte )zähl(?:e|en sie)?(?: bitte)? die (?:wörter|zeichen|sätze|zeilen|buchstaben)\b",
    r"(?:^|\b(?:peux-tu|pouvez-vous) )(?:transform|convert|met)\w*(?: (?:ceci|ça|cela|ce texte)|-l[ea])\b.* en\b",
    r"^(?:fais|faites|écris|écrivez) .*\b(?:de|à partir de) (?:ceci|ce texte|cet article)\b",
    r"(?:^|\bpuedes )(?:convi[eé]rt|convert|transform)\w* (?:esto|este texto)\b.* en\b",
    r"^(?:trasforma|converti)\w* (?:questo|questo testo)\b.* in\b",
    r"^(?:transform|convert)\w+ (?:isto|isso|este texto)\b.* em\b",
    r"^maak (?:hier|hiervan|daarvan)\b",
    r"(?:把|将|將)(?:这|這|以下|下面|它)[^。!?\n]{0,12}(?:变成|變成|改成|写成|寫成|做成|转成|轉成|转换|整理成)",
    r"(?:これ|以下|下記|次の|この)[^。!?\n]{0,12}を[^。!?\n]{0,12}(?:にして|に変換|に直して|に書き換え)",
)

# May be about what stands above, or about nothing that was pasted.
LIKELY = (
    r"^(?:any )?(?:thoughts|opinions|ideas|comments|feedback)(?: (?:on|about) (?:this|that))? ?\?+$",
    r"^(?:fyi|for your information|zur info|zk|pour info)[.!]*$",
    (
        r"^(?:is|are|was) (?:this|that|these|it)(?: \w+)? "
        r"(?:true|correct|right|real|legit|accurate|ok|okay|good|spam|a scam) ?\?"
    ),
    r"^(?:stimmt|ist) (?:das|dies)(?: so| wirklich)?(?: richtig| wahr| korrekt)? ?\?",
    r"^(?:was meinst du|was denkst du|meinung|meinungen)(?: dazu)? ?\?",
    r"^(?:c'est vrai|est-ce vrai|qu'en penses-tu|des avis) ?\?",
    r"^¿?(?:es (?:esto )?verdad|qué opinas|opiniones) ?\?|^(?:è vero|che ne pensi) ?\?",
    r"^(?:é verdade|o que achas) ?\?|^(?:klopt (?:dit|dat)|wat vind je(?: ervan)?) ?\?",
    r"^(?:这|這)?是真的吗 ?\?|^你怎么看 ?\?|^(?:これは)?本当(?:ですか)? ?\?",
)
