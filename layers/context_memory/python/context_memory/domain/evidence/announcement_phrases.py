"""How people hand over a text to be worked on, in the languages met most: "summarise this:", "was steht hier?".

Patterns for one sentence in lower case with straight apostrophes and single blanks. Work on a text (summarising,
translating) is told from work that may be about anything (explaining, fixing): the first cannot do without a text.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asking:
    """How one language asks for work on a text.

    Attributes:
        please: what makes a verb a request wherever it stands.
        text_work: verbs for work on a text, as imperatives.
        any_work: verbs for work on anything, as imperatives.
        text_work_in_questions: further forms that ask in a question or beside a `please` ("kannst du … übersetzen?").
        any_work_in_questions: the same of `any_work`.
        here: words for what comes next: "this", "the following".
        back: words that mean as well what was said last: "das", "ça"; empty where none is read.
        named: a determiner with a kind of text: "the article".
        into: what may follow a verb without an object: "translate into German".
    """

    please: str
    text_work: str
    any_work: str
    text_work_in_questions: str
    any_work_in_questions: str
    here: str
    back: str
    named: str
    into: str


_EN_TEXT_WORK = (
    r"summari[sz]e|sum(?= (?:\w+ ){0,3}up\b)|tl ?;? ?dr|translate|proof-?read|spell-?check|rephrase|reword|paraphrase|"
    r"rewrite|shorten|condense|transcribe|summary(?= (?:of|please)\b)|"
    r"(?:write|give)(?: me)? an? (?:\w+ )?summary of"
)
_EN_ANY_WORK = (
    r"fix|correct|edit|improve|polish|review|check|explain|analy[sz]e|interpret|format|comment on|repl(?:y|ies) to|"
    r"respond to|answer(?= th)|read|evaluate|assess|grade|classify|simplify|clean up|extract|look at|"
    r"help (?:me )?with(?= th)"
)
# "das übersetzen", not "das Haus": behind a pronoun stands no noun.
_DE_BEHIND_A_PRONOUN = r"(?= ?(?:$|[.,;!?:)(]|(?:bitte|kurz|mal|für|ins?|auf|zu|zusammen|um|und|\w+en)\b))"
_NL_BEHIND_A_PRONOUN = r"(?= ?(?:$|[.,;!?:)]|(?:naar|in|voor|samen|uit|even|eens|\w+en)\b))"

LANGUAGES = (
    Asking(
        please=r"please|pls|plz|kindly|(?:can|could|would|will|can't) (?:you|u|someone)|you to",
        text_work=_EN_TEXT_WORK,
        any_work=_EN_ANY_WORK,
        text_work_in_questions=_EN_TEXT_WORK,
        any_work_in_questions=_EN_ANY_WORK,
        # "this" alone, not "this bug": a noun behind it must be a kind of text.
        here=r"(?:this|these|the following|what follows|(?:everything |all |the )?(?:below|above))"
        r"(?= ?(?:$|[.,;!?:)(]|(?:to|into|in|for|as|please|pls|up|and|so|with|from|below|above|briefly|again)\b))",
        back="",
        named=r"(?:th(?:is|at|ese|e)|my|our|his|her|their|a|an|\w+'s)(?: [\w'-]+){0,3}? "
        r"(?:texts?|e-?mails?|mails?|messages?|letter|articles?|documents?|docs?|paragraphs?|passage|posts?|report|essay|"
        r"abstract|paper|notes?|minutes|transcript|conversation|chat|thread|story|speech|statement|contract|section|"
        r"page|draft|sentences?|quote|snippet|log|description|release|cv|resume)\b",
        into=r"to|into|in|for|as|from",
    ),
    Asking(
        please=r"bitte|(?:kannst|könntest|würdest|magst) du|(?:können|könnten|würden) sie",
        text_work=r"fass(?:e|t|en sie)?(?= .*\bzusammen)|übersetz(?:e|t|en sie)?|korrektur ?les\w*|lektorier\w*|"
        r"kürz(?:e|en sie)?|formulier(?:e|en sie)?(?= .*\bum\b)|schreib(?:e|en sie)?(?= .*\bum\b)|"
        r"zusammenfassung(?= (?:bitte|von|des|der)\b)",
        any_work=r"korrigier(?:e|en sie)?|verbesser(?:e|n sie)?|prüf(?:e|en sie)?|überprüf(?:e|en sie)?|"
        r"erklär(?:e|en sie)?|analysier(?:e|en sie)?|bewert(?:e|en sie)?|beantwort(?:e|en sie)?|lies|lesen sie|"
        r"schau(?:e|en sie)?|überarbeit(?:e|en sie)?|antwort(?:e|en sie)? auf",
        text_work_in_questions=r"zusammen(?:zu)?fassen|übersetzen|korrekturlesen|lektorieren|kürzen|umformulieren|"
        r"umschreiben|fasst|übersetzt",
        any_work_in_questions=r"korrigieren|verbessern|(?:über)?prüfen|erklären|analysieren|bewerten|beantworten|"
        r"überarbeiten|ansehen|anschauen|durchlesen|antworten",
        here=r"\b(?:das (?:hier|folgende|untenstehende)|dies(?:e[sn]?)?|folgende[ns]?|unten|oben|hier)"
        rf"{_DE_BEHIND_A_PRONOUN}",
        back=rf"\bdas{_DE_BEHIND_A_PRONOUN}",
        named=r"\b(?:d(?:as|er|ie|en|em)|diese[nrsm]?|folgende[nrsm]?|meine[nm]?|mein|unsere[nm]?|seine[nm]?)"
        r"(?: [\w-]+){0,2}? (?:text(?:e[sn]?|s)?|e-?mail|mail|artikel|dokument|absatz|absätze|brief|nachricht|"
        r"abschnitt|beitrag|bericht|aufsatz|protokoll|gespräch|chat|verlauf|vertrag|entwurf|satz|sätze|zitat|"
        r"lebenslauf|anschreiben)\b",
        into=r"ins?|auf|für|zu|kurz",
    ),
    Asking(
        please=r"s'il (?:te|vous) pla[iî]t|stp|svp|merci de|(?:peux|pourrais)-tu|tu (?:peux|pourrais)|"
        r"(?:pouvez|pourriez)-vous|vous (?:pouvez|pourriez)",
        text_work=r"résume[zr]?|resume[zr]?|traduis|traduisez|traduire|relis|relisez|reformule[zr]?|raccourci[sr]|"
        r"raccourcissez|réécri[st]|réécrivez|(?:fais |faites )?(?:moi )?un résumé de",
        any_work=r"corrige[zr]?|améliore[zr]?|vérifie[zr]?|explique[zr]?|analyse[zr]?|lis|lisez|réponds|répondez|commente[zr]?",
        text_work_in_questions=r"résumer|traduire|relire|reformuler|raccourcir|réécrire",
        any_work_in_questions=r"corriger|améliorer|vérifier|expliquer|analyser|lire|répondre|commenter",
        here=r"\b(?:ceci|ce qui suit|ci-dessous|ci-dessus)\b",
        back=r"(?:\b(?:cela|ça)|-l[ea]s?)\b",
        named=r"\b(?:ce|cet|cette|ces|le|la|les|mon|ma|mes|son|sa|du|de la)(?: [\w-]+)? ?"
        r"(?:textes?|e-?mails?|mails?|courriels?|documents?|paragraphes?|lettre|messages?|passage|rapport|compte rendu|"
        r"phrases?|discussion|conversation|extrait|contrat|cv)\b|"
        r"\b(?:[ld]'|cet )(?:article|e-?mail|extrait)",
        into=r"en|pour|vers",
    ),
    Asking(
        please=r"por favor|porfa|puedes|podrías|puede usted|podría",
        text_work=r"resum(?:e|a|ir)(?:me)?|resúme(?:lo|la|me)|traduc(?:e|ir)|traduzca|tradúce(?:lo|la|me)|reformul[ae]|"
        r"reescrib[ae]|acort[ae]|(?:haz(?:me)? )?un resumen de",
        any_work=r"corrij[ae]|corrige(?:lo|la)?|mejor[ae]|revis[ae](?:lo|la)?|explic[ae](?:me)?|explíca(?:me|lo)|analiz[ae]|"
        r"lee|lea|comprueb[ae]|respond[ae]|contest[ae]",
        text_work_in_questions=r"resumir(?:me|lo)?|traducir(?:me|lo)?|reformular|reescribir|acortar|resumes|traduces",
        any_work_in_questions=r"corregir|mejorar|revisar|explicar(?:me)?|analizar|leer|responder|contestar",
        here=r"\b(?:esto|lo siguiente|lo de abajo|lo anterior)\b",
        back=r"\beso\b",
        named=r"\b(?:est[ea]|estos|estas|el|la|los|las|mi|mis|su|del|siguiente)(?: [\w-]+)? ?"
        r"(?:textos?|correos?|e-?mails?|mails?|artículos?|documentos?|párrafos?|cartas?|mensajes?|informe|frases?|"
        r"conversación|contrato|cv)\b",
        into=r"al|en|para",
    ),
    Asking(
        please=r"per favore|per piacere|per cortesia|puoi|potresti|può|potrebbe",
        text_work=r"riassum(?:i|a|ere)(?:mi|lo|la)?|traduc(?:i|a)(?:mi|lo|la)?|riscriv[ia]|riformul[ai]|accorcia|"
        r"(?:fammi )?un riassunto d(?:i|el)",
        any_work=r"corregg(?:i|a|ere)(?:lo|la)?|miglior[ai]|rived[ia]|controll[ai]|spieg(?:a|hi)(?:mi)?|analizz[ai]|leggi|"
        r"rispondi a",
        text_work_in_questions=r"riassumer(?:e|mi|lo)|tradur(?:re|mi|lo)|riscrivere|riformulare|accorciare",
        any_work_in_questions=r"corregger(?:e|mi)|migliorare|rivedere|controllare|spiegar(?:e|mi)|analizzare|leggere|rispondere",
        here=r"\b(?:questo|questa|ciò che segue|quanto segue|qui sotto|qui sopra)(?= ?(?:$|[.,;!?:)]|(?:in|per|e)\b))",
        back=r"\b(?:ciò|quello)(?= ?(?:$|[.,;!?:)]|(?:in|per)\b))",
        named=r"\b(?:quest[oaie]|il|la|lo|i|le|mi[ao]|del|della|al|alla|seguente)(?: [\w-]+)? ?"
        r"(?:test[oi]|e-?mail|mail|document[oi]|paragrafo|lettera|messaggi[o]?|relazione|fras[ei]|conversazione|contratto|cv)\b"
        r"|\b(?:l'|quest'|dell')(?:articolo|e-?mail)",
        into=r"in|per",
    ),
    Asking(
        please=r"por favor|podes|podias|você pode|poderia|consegues",
        text_work=r"resum[aei](?:r|-o|-a)?|traduz(?:a|ir|-o|-a)?|reescrev[ae]|reformul[ae]|encurt[ae]|"
        r"(?:faz |faça )?um resumo d[oae]",
        any_work=r"corrij[ae]|corrige|melhor[ae]|revej[ae]|revê|revis[ae]|expli(?:ca|que)|analis[ae]|leia|lê|respond[ae]",
        text_work_in_questions=r"resumir|traduzir|reescrever|reformular|encurtar",
        any_work_in_questions=r"corrigir|melhorar|rever|revisar|explicar|analisar|ler|responder",
        here=r"\b(?:isto|o seguinte|abaixo|acima)\b",
        back=r"\bisso\b",
        named=r"\b(?:est[ea]s?|ess[ea]s?|o|a|os|as|d[oa]|meu|minha|seguinte)(?: [\w-]+)? ?"
        r"(?:textos?|e-?mails?|mails?|artigos?|documentos?|parágrafos?|cartas?|mensage(?:m|ns)|relatório|frases?|"
        r"conversa|contrato|cv)\b",
        into=r"para|em|ao",
    ),
    Asking(
        please=r"alsjeblieft|aub|alstublieft|(?:kun|kan|zou|wil) (?:je|jij|u)",
        text_work=r"vat(?= .*\bsamen)|vertaal|herschrijf|herformuleer|verkort|samenvatting(?= (?:van|alsjeblieft)\b)",
        any_work=r"corrigeer|verbeter|controleer|bekijk|leg(?= .*\buit\b)|analyseer|lees|beantwoord|check",
        text_work_in_questions=r"samenvatten|vertalen|herschrijven|herformuleren|inkorten|samen te vatten",
        any_work_in_questions=r"corrigeren|verbeteren|controleren|bekijken|uitleggen|analyseren|lezen|beantwoorden|nakijken",
        here=r"\b(?:dit|het volgende|hieronder|hierboven)"
        rf"{_NL_BEHIND_A_PRONOUN}",
        back=rf"\bdat{_NL_BEHIND_A_PRONOUN}",
        named=r"\b(?:dit|deze|die|de|het|mijn|zijn|haar|volgende)(?: [\w-]+){0,2}? "
        r"(?:tekst(?:en)?|e-?mails?|mails?|artikel|document|alinea|brief|bericht(?:en)?|verslag|rapport|gesprek|zin|zinnen|"
        r"contract|cv)\b",
        into=r"naar|in|voor",
    ),
)

# Chinese and Japanese put no blanks between words; what is worked on stands before or behind the verb.
ZH_HERE = "(?:这|這|以下|下面|下列|下文|上面|上述|上文|此文|该文|全文)"
_ZH_TEXT_WORK = "(?:总结|總結|概括|归纳|歸納|摘要|翻译|翻譯|译成|譯成|润色|潤色|校对|校對|改写|改寫|缩写|精简|精簡)"
_ZH_ANY_WORK = "(?:解释|解釋|说明|修改|检查|檢查|分析|看看|审阅|審閱|回复|回覆|改进|改進|点评)"
JA_HERE = r"(?:これ|以下|次|下記|上記|この[^\s、。]{1,8}|本文|下の[^\s、。]{1,8})"
_JA_TEXT_WORK = "(?:要約|翻訳|英訳|和訳|訳し|校正|添削|言い換え|書き直|まとめて|短くし)"
_JA_ANY_WORK = "(?:説明|レビュー|確認|解説|チェック|直し|修正|分析|読んで|返信|改善)"

CLEAR = {
    "zh": f"{_ZH_TEXT_WORK}(?:一下|下)?(?: ?{ZH_HERE}|成|为|為| ?[,:!。]? ?$)"
    f"|{ZH_HERE}[^。!?\n]{{0,15}}{_ZH_TEXT_WORK}",
    "ja": f"{JA_HERE}[^。!?\n]{{0,15}}{_JA_TEXT_WORK}|^{_JA_TEXT_WORK}(?:して|し|お願い|を| ?[:。]? ?$)",
}
LIKELY = {
    "en": rf"(?:^|\b(?:please|you),? )(?:{_EN_TEXT_WORK}) (?:it|that)\b"
    r"|\bwhat (?:does|do|is) (?:this|it|that|these|they|he|she|the \w+) (?:say|mean|want|all about|about)(?: here)? ?\?"
    r"|\bwhat(?:'s| is) this ?\?"
    r"|\bwhat (?:do|would) you (?:think|make|say|answer) (?:of|about|to) (?:this|that)(?: \w+)? ?\?",
    "de": r"\bwas (?:steht|will|wollen|meint|heisst|bedeutet|sagt|schreibt|ist)"
    r"(?: (?:er|sie|es|das|dies|hier|da|drin|damit|mir))+ ?\?"
    r"|\bworum geht es(?: hier| da)? ?\?",
    "fr": r"\bque (?:dit|veut|signifie)(?:-(?:il|elle))?(?: dire)?(?: (?:ceci|cela|ça|ce texte))? ?\?"
    r"|\bde quoi (?:s'agit-il|ça parle) ?\?",
    "es": r"\bqué (?:dice|significa|quiere)(?: (?:esto|él|ella|decir))* ?\?|\bde qué (?:trata|va)(?: esto)? ?\?",
    "it": r"\b(?:che )?cosa (?:dice|significa|vuole|vuol dire)(?: questo)? ?\?|\bdi cosa (?:parla|si tratta) ?\?",
    "pt": r"\bo que (?:diz|significa|quer)(?: (?:isto|isso|dizer))* ?\?",
    "nl": r"\bwat (?:staat|zegt|betekent|wil)(?: (?:hier|er|dit|hij|ze|zij))+ ?\?",
    "zh": f"{_ZH_ANY_WORK}(?:一下|下)? ?{ZH_HERE}"
    f"|{ZH_HERE}[^。!?\n]{{0,12}}(?:{_ZH_ANY_WORK}|什么意思|说了什么|讲了什么)",
    "ja": f"{JA_HERE}[^。!?\n]{{0,15}}(?:{_JA_ANY_WORK}|どういう意味|何と書いて|何て書いて)",
}

# Somebody else's words in a sentence that ends in a colon.
REPORTS = (
    r"\b(?!i |we |you )\w+ (?:just |then |also )?(?:wrote|writes|said|says|sent|answered|replied)"
    r"(?: (?:me|us|this|to me|back))* ?:$"
    r"|(?<!ich )\b(?:schrieb|schreibt|sagte?|antwortete?|meinte?)(?! ich\b)(?: (?:er|sie|mir|uns|dazu|das|darauf))* ?:$"
    r"|\b(?:a|ont) (?:écrit|dit|répondu) ?:$|\b(?:escribió|escribe|dijo|dice|respondió) ?:$"
    r"|\bha (?:scritto|detto|risposto) ?:$|\b(?:escreveu|disse|respondeu) ?:$|\b(?:schreef|zei|antwoordde) ?:$"
    r"|(?<!我)(?:写道|寫道|说|說|回复) ?:$|(?:と言って(?:います|いる|た)|書いて(?:います|いる)|より) ?:$"
)
