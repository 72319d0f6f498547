"""Words with which people say that something has ended, is done, was handed over or is unwanted, language by language.

All are matched against one sentence as `words.plain` folds it. Words that end as often something else ("sold", "left",
"stopped") count of the speaker's own doing only ("we sold 300 scanners" ends no scanner), and so do those that mean
something else with another word ("over budget", "passed the file to Anna"). What is "not done yet" is not done.
"""

from __future__ import annotations

import re

_GAP = r"[^.!?]{0,40}"
_I = r"(?:i|we|i've|we've|have|had|just|already|recently|finally|since)"
_NOT_YET = r"(?<!not )(?<!n't )(?<!never )(?<!almost )(?<!nearly )(?<!nicht )(?<!fast )(?<!pas )(?<!niet )(?<!non e )"
_MY = r"(?:the|my|our|all)"
_TO_SOMEBODY = rf"(?={_GAP}\b(?:to|along|off)\b)"
_AT_THE_END = r"(?=\W*$|[,:)]| (?:now|since|for|and|so|but|at last|finally|thank\w*)\b)"

_ENDED = (
    rf"no longer|any ?more|no more|(?:i|we) used to|quit|{_I} (?:left|stopped|have stopped)|sold (?:my|our)",
    r"g[ai]v(?:e|en|ing) up|ended|cancell?ed|resigned|retired|moved (?:out|away)|dropped out|broke up|divorced",
    rf"{_NOT_YET}(?:died|passed away|called off)",
    rf"nicht mehr|kein\w*\b{_GAP}\bmehr|nie mehr|aufgehort|aufgegeben|gekundigt|beendet|verkauft|abgesagt|verlassen",
    rf"weggezogen|ausgezogen|pensioniert|geschieden|getrennt|{_NOT_YET}(?:gestorben|verstorben)|abgeblasen",
    rf"n(?:e|')\b{_GAP}\bplus|arrete|quitte|demissionne|vendu|abandonne|annule|(?:est|sont) (?:mort|decede)e?s?",
    r"ya no|deje|dejado|renuncie|vendi|abandone|cancele|(?:se )?murio|fallecio|ha (?:muerto|fallecido)",
    rf"non\b{_GAP}\bpiu|smesso|lasciato|venduto|annullato|e mort[oa]|e mancat[oa]",
    rf"nao\b{_GAP}\bmais|parei|deixei|larguei|cancelei|morreu|faleceu",
    rf"(?:niet|geen)\b{_GAP}\bmeer|gestopt|opgezegd|verkocht|afgezegd|overleden",
)
_ENDED_ANYWHERE = (
    "不再|离开|離開|辞职|辭職|离职|離職|戒了|戒掉|放弃|放棄|卖掉|卖了|賣掉|取消了|去世|过世|過世|死了"
    "|やめ|辞め|退職|売っ|亡くな|死ん|그만|떠났|죽었"
)
_FINISHED = (
    rf"done|finished|completed|went live|gone live|(?:{_I}|was|is|are) launched|graduated|handed in {_MY}",
    rf"(?:is|are|was|were|\w+'s)(?: (?:now|all|finally|already|officially))? over{_AT_THE_END}",
    rf"passed {_MY}\b(?!{_TO_SOMEBODY})",
    rf"erledigt|fertig|geschafft|abgeschlossen|bestanden(?! auf)|(?:ist|sind|war|waren)\b{_GAP}\b(?:vorbei|voruber)",
    rf"(?:ist|sind) live|live gegangen|ging live|(?:die|das|den|meine?n?|unsere?n?)\b{_GAP}\babgegeben",
    r"fini|j'ai termine|c'est (?:fait|termine)|(?:est|sont) (?:fini|termine)e?s?|est en ligne",
    r"(?:reussi|rendu|remis)(?= (?:l'|mon |ma |mes |le |la |les |notre ))",
    r"hecho|terminado|listo|se acabo|ha acabado|aprobe|entregue|fatto|finito|finita|consegnato",
    r"ho superato|feito|terminei|acabou|entreguei|klaar|gedaan|afgerond|voorbij|geslaagd|ingeleverd",
)
_FINISHED_ANYWHERE = (
    "完成|做完|搞定|办好|辦好|结束了|結束了|上线了|毕业了|通过了|終わ|済ん|済み|完了|合格し|끝났|끝냈|완료"
)
_HANDED_OVER = (
    r"sent|submitted|handed in|paid|settled|booked|went out|taken care|ab(?:geschickt|gegeben)|gesendet|verschickt",
    r"bezahlt|gebucht|envoye|paye|enviado|pagado|inviato|pagato|enviei|paguei|verstuurd|betaald",
)
_HANDED_OVER_ANYWHERE = "已经发|已經發|交了|提出し"
_UNWANTED = (
    r"(?<!to )(?<!n't )(?<!not )(?<!never )stop|you to stop|hor (?:bitte )?auf|lass (?:bitte )?(?:die|das|den)",
    r"arretez|deja de|dejar de|smetti|smettila|pare de|stop met|hou op",
)
_UNWANTED_ANYWHERE = "别再|別再|不要再"
_DENIED = (
    r"(?:not|never|\w+n't)(?! stop)|no(?!,)|nicht|kein\w*|nie|ne|pas|jamais|nunca|non(?!,)|nao(?!,)|niet|geen|nooit",
)
_DENIED_ANYWHERE = "不|没|沒|ない|ません"


def _sign(spelled: tuple[str, ...], anywhere: str, *, before: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){before}(?:{'|'.join(spelled)})(?!\w)|{anywhere}")


ENDED = _sign(_ENDED, _ENDED_ANYWHERE)
FINISHED = _sign(_FINISHED, _FINISHED_ANYWHERE, before=_NOT_YET)
HANDED_OVER = _sign(_HANDED_OVER, _HANDED_OVER_ANYWHERE, before=_NOT_YET)
UNWANTED = _sign(_UNWANTED, _UNWANTED_ANYWHERE)
DENIED = _sign(_DENIED, _DENIED_ANYWHERE)
