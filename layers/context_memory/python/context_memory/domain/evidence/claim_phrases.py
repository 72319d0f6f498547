# ruff: noqa: RUF001 - phrases are spelled in their own scripts
"""How people claim or refuse a text beside their words, in the languages met most.

Patterns for text in lower case with straight apostrophes and single blanks (`claims` prepares it). A request is an
imperative with a pronoun as its object: "remember this", never "remember to call" nor "remember that I …".
"""

from __future__ import annotations

_OWN_DOCUMENT = (
    r"(?:cv|c\.v\.|resume|résumé|curriculum(?: vitae)?|bio|biography|(?:linkedin )?profile|background|"
    r"(?:self-)?introduction|preferences)\b(?!'| (?:template|example|builder))"
)
_WHICH = r"(?:(?:current|new|latest|updated|old|full|short|own|personal|professional|work|english|german) ){0,2}"

# Behind a pronoun that means the pasted text. A colon with words behind it announces those words instead.
_ENDS = r"(?= ?(?:$|[.,;!)\n]|: ?$|(?:for|as|about|please|in mind|and|too|well|below|above)\b))"

# What makes an English verb an imperative addressed to the assistant: "he asked me to remember this" is none.
_SPEAKS_UP = (
    r"(?:^|[\n,;:.!(–—-] ?|\b(?:please|pls|and|so|then|also|just|but|kindly|"
    r"(?:can|could|will|would|should|must) you|you (?:should|must|can|to)) )(?:(?:please|just|also|always) )*"
)

REQUESTS = {
    "en": rf"{_SPEAKS_UP}(?:"
    r"(?:remember|memori[sz]e|don't forget|do not forget) "
    r"(?:(?:all (?:of )?)?(?:this|that|it|these)|(?:this|these|the following)(?: [\w-]+){0,3}|the following|"
    rf"what follows|what's below|my {_WHICH}{_OWN_DOCUMENT}){_ENDS}"
    r"|keep (?:this|that|it|these) in (?:mind|memory)"
    r"|(?:save|store|add|put) (?:this|that|it|these) (?:in|to|into) (?:your |the )?memory)",
    "de": r"\b(?:merke? dir|merken sie sich|behalte?|behalten sie) (?:bitte )?"
    rf"(?:das|dies(?:e[sn]?)?|es|alles|(?:das )?folgende[sn]?|mein(?:en)? lebenslauf){_ENDS}"
    r"|\bvergiss (?:das|es|dies) (?:bitte )?nicht\b",
    "fr": r"\b(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous)(?: bien)? de "
    rf"(?:ceci|cela|ça|tout ça|ce qui suit){_ENDS}"
    r"|\b(?:retiens|retenez|mémorise[zr]?)(?:-(?:le|la|les)| bien)?"
    rf"(?: (?:ceci|cela|ça|tout ça|ce qui suit))?{_ENDS}"
    r"|\bgarde[zr]?(?:-(?:le|la|les)| ça| cela| ceci) en (?:mémoire|tête)"
    r"|n'oublie[zr]? pas (?:ceci|cela|ça)\b",
    "es": rf"\b(?:recu[eé]rd[ae]l[oa]s?|memor[ií]z[ae]l[oa]s?){_ENDS}"
    r"|\b(?:recuerd[ae]|memoriz[ae]|acuérd(?:ate|ese) de|no olvid(?:es|e)) "
    rf"(?:est[oae]s?|eso|lo siguiente){_ENDS}"
    r"|\bguárd[ae]l[oa]s? en (?:tu |su |la )?memoria",
    "it": rf"\b(?:ricordal[oaie]|ricordatel[oaie]|ricordatene|memorizzal[oaie]|non dimenticarl[oaie]){_ENDS}"
    rf"|\b(?:ricorda(?:ti)?(?: di)?|memorizza|non dimenticare) (?:questo|questa|ciò|quanto segue){_ENDS}"
    r"|\btienil[oaie] a mente\b",
    "pt": r"\b(?:lembr[ae](?:-se|-te)?|não (?:se )?esque[çc]as?|não te esqueças) "
    rf"(?:d?isto|d?isso|do seguinte){_ENDS}"
    rf"|\bmemoriz[ae](?:-[oa]s?| isto| isso){_ENDS}"
    r"|\bguard[ae](?: isto| isso|-[oa]s?) na memória",
    "nl": rf"\bonthou(?:d|dt) (?:alsjeblieft )?(?:dit|dat|het|deze|het volgende){_ENDS}",
    "nordic": rf"\b(?:kom ihåg|husk) (?:detta|dette|det(?: här| her)?|följande|følgende){_ENDS}",
    "pl": rf"\bzapamiętaj (?:proszę )?(?:to|poniższe){_ENDS}",
    "ru": rf"\bзапомни(?:те)?(?:,? пожалуйста,?)?(?: (?:это|следующее|эт[иу] \w+))?{_ENDS}",
    "tr": r"\bbunu (?:hatırla|unutma|aklında tut)",
    "zh": "(?:记住|記住|记下来?|記下來?|记好)(?:这|這|它|以下|下面|下列|上面|以上|此)"
    "|(?:把|将|將)?(?:这|這|它|以下|下面|上面)[^,.!?\n:。]{0,8}(?:记住|記住|记下|記下|记在心|記在心)"
    "|(?:^|[,.!:\n。]|请|請|帮我|幫我|麻烦|麻煩|并|並|且)(?:记住|記住|记下来|記下來)了?吧?(?= ?(?:$|[.!,\n。]|: ?$))",
    "ja": r"(?:これ|それ|以下|次|上記|この[^\s、。を]{1,8})(?:の[^\s、。を]{1,8})?[をはも]?(?:必ず|よく|ちゃんと)?"
    "(?:覚えて|記憶して|忘れないで)"
    r"|(?:^|[、。,\s])(?:覚えておいて|覚えてください|記憶して(?:おいて|ください))",
    "ko": "(?:이것|이걸|이거|다음|아래)[^.!?\n]{0,8}(?:기억해|기억하세요|외워)",
    "ar": "(?:تذكر|احفظ) (?:هذا|هذه|ما يلي)",
    "hi": "(?:इसे|यह) (?:कृपया )?याद (?:रख|कर)",
}

PRESENTATIONS = {
    "en": r"\b(?:(?:this|that|here|below|above|attached|following) is|(?:this|that|here)'s|(?:these|here) are) "
    rf"my {_WHICH}{_OWN_DOCUMENT}"
    rf"|^my {_WHICH}{_OWN_DOCUMENT} ?: ?$"
    r"|\babout (?:me|myself)\b[^.!\n]*: ?$",
    "de": r"\b(?:das|dies|hier|unten|folgendes|anbei)(?: (?:ist|sind|steht|kommt|folgt|findest du))? meine? (?:\w+ )?"
    r"(?:lebenslauf|cv|profil|werdegang|kurzbiogra[fp]h?ie|vita|bio|steckbrief|vorlieben)\b"
    r"|\büber mich ?: ?$",
    "fr": r"\b(?:voici|voilà|c'est|ceci est) (?:mon|ma|mes) (?:\w+ )?"
    r"(?:cv|curriculum(?: vitae)?|profil|biographie|bio|parcours|présentation|préférences)\b",
    "es": r"\b(?:est[ea] es|esto es|aquí (?:está|tienes|va)|adjunto) mis? "
    r"(?:cv|currículum|curriculum|currículo|perfil|biografía|hoja de vida|trayectoria|preferencias)\b",
    "it": r"\b(?:quest[oa] è|ecco|qui c'è) (?:il mio|la mia|le mie) "
    r"(?:cv|curriculum|profilo|biografia|percorso|preferenze)\b",
    "pt": r"\b(?:est[ea] é|isto é|aqui está|segue) (?:[oa]s? )?(?:meus?|minhas?) "
    r"(?:cv|currículo|perfil|biografia|preferências)\b",
    "nl": r"\b(?:dit is|hier is|hieronder staat) mijn (?:cv|profiel|biografie|bio|voorkeuren)\b",
    "ru": r"\b(?:это|вот) мо[йеёя] (?:резюме|профиль|биография|анкета|cv)\b",
    "zh": "(?:这|這|以下|下面|附上|上面)[是的]?我的(?:个人|個人)?"
    "(?:简历|簡歷|履历|履歷|自我介绍|自我介紹|资料|資料|cv)",
    "ja": "(?:これ|以下|次|こちら)[はが](?:私|僕|俺|わたし)の(?:履歴書|職務経歴書|経歴|プロフィール|自己紹介|cv)",
}

REFUSALS = {
    "en": r"\b(?:don't|dont|do not|never|not to|needn't|need not|no need to|mustn't|shouldn't|without) (?:\w+ ){0,2}"
    r"(?:remember|memori[sz]|keep|keeping|save|saving|store|storing)"
    r"|(?<!don't )(?<!not )(?<!never )\bforget (?:this|that|it|these|the following)\b"
    r"|\b(?:isn't|aren't|not) (?:mine|my)\b",
    "de": r"\b(?:merk|behalt)\w*\b[^.,!?\n]{0,30}\bnicht\b"
    r"|\bnicht (?:\w+ ){0,2}(?:merken|behalten|speichern)"
    r"|\bvergiss (?:das|es|dies)\b(?! (?:bitte )?nicht)"
    r"|\bnicht meine?\b",
    "fr": r"\bn(?:e |')(?:\w+ ){0,2}(?:souviens|retiens|retenez|retenir|mémoris|enregistr|gard)"
    r"|\bpas (?:mon|ma|mes)\b"
    r"|(?<!n')\boublie[zr]? (?:ceci|cela|ça)\b",
    "es": r"\bno (?:l[oa]s? )?(?:recuerd|guard|memoric)|\bno (?:es|son) mis?\b",
    "it": r"\bnon (?:\w+ )?(?:ricordar|memorizz|salvar)|\bnon (?:è|sono) (?:il mio|la mia|le mie)\b",
    "pt": r"\bnão (?:\w+ )?(?:lembr|guard|memoriz|salv)|\bnão (?:é|são) (?:[oa]s? )?(?:meus?|minhas?)\b",
    "nl": r"\bonthou\w*[^.,!?\n]{0,30}\bniet\b|\bniet (?:\w+ )?onthouden\b|\bniet mijn\b",
    "pl": r"\bnie (?:zapamiętuj|zapamiętaj)",
    "ru": r"\bне (?:надо |нужно )?(?:запомин|сохран)|\bне мо[йеёя]\b",
    "zh": "(?:不要|别|別|不用|不必|无需|無需|勿)(?:再)?(?:把[^,.!?\n]{0,6})?(?:记|記|保存)|不是我的",
    "ja": "(?:覚え|記憶し|保存し)(?:ないで|なくて)|私の[^\n。]{0,12}(?:では|じゃ)(?:ない|ありません)",
    "ko": "기억하지",
}
