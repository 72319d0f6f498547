# ruff: noqa: RUF001 - Cyrillic words are spelled with Cyrillic letters
"""Words that say nothing about a person, in the languages met most: two degrees of them.

`STOP_WORDS` (articles, pronouns, prepositions, auxiliaries) are no content words at all. A word that is common in one
language and means something in another ("son", "door") is left out of the list: a word too many only makes a
comparison stricter, a word too few makes two facts look alike.

`FAINT_WORDS` are content words, so that "Likes tea" and "Dislikes tea" differ, but far too common to be evidence: "how
does this work?" is no ground for "Works as a nurse". `REQUEST_WORDS` are those of them in which one asks to remember
or to forget.
"""

from __future__ import annotations

STOP_WORDS_BY_LANGUAGE = {
    "en": """a about above after again all also am an and any are as at be because been before being below between both
        but by can could did do does doing down during each even few for from further had has have having he her here
        hers herself him himself his how i if in into is it its itself just let may me might more most must my myself
        now of off on once one ones only or other our ours out over own per same shall she should so some such than
        that the their theirs them themselves then there these they this those through to too under until up us very
        was we were what when where which while who whom why will with would yes you your yours yourself yourselves
        etc ok okay please thanks via ll ve re don doesn didn isn aren wasn won wouldn couldn shouldn hasn haven""",
    "de": """aber als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den der des
        dich die dir du durch ein eine einem einen einer eines er es etwas euch euer für gegen hab habe haben hat hatte
        hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt
        kann können man mein meine meinem meinen meiner mich mir mit nach noch nun nur ob oder ohne sehr sein seine
        seinem seinen seiner seit sich sie sind so soll sollte über um und uns unser unsere unter vom von vor war waren
        was weil wenn wer werde werden wie wir wird wo wurde zu zum zur zwischen bitte danke gern gerne doch mal""",
    "fr": """ai au aux avec ce cela ces cet cette ceux chez ci comme dans de des donc du elle elles en es est et etait
        ete etre eu eux il ils je la le les leur leurs lui ma mais me meme mes moi mon ne nos notre nous on ont ou par
        pas pour qu que quel quelle qui sa sans se ses si soit sont sous suis sur ta te tes toi ton tu un une va vers
        vos votre vous y merci oui été être même où très""",
    "es": """al algo ante aquí como con cual cuando de del desde donde durante e el ella ellas ellos en entre era es esa
        ese eso esta estas este esto estos estoy está están fue ha han hasta hay he la las le les lo los me mi mis muy o
        os para pero por porque que quien qué se sea ser si sobre soy su sus sí también te tiene todo tu tus un una uno
        unos y ya yo""",
    "it": """agli ai al alla alle allo anche c che chi ci coi col come con cui da dagli dai dal dalla dalle dei del
        della delle dello di dove e ed era essere fra gli ha ho i il in io la le lei li lo loro lui ma mi mia mie miei
        mio ne negli nei nel nella nelle noi nostra nostro o per perché più quale quando quello questa questo qui se si
        sia sono sta su sua sue sugli sui sul sulla suo ti tra tu tua tuo un una uno vi voi""",
    "pt": """à ao aos as às até com da das de dela dele do dos e é ela ele em entre era essa esse esta este eu foi há
        isso isto já lhe mais mas me meu meus minha muito na nas nem no nos nossa nosso num numa o os ou para pela pelo
        por qual quando que quem se sem ser seu sua são também te tem um uma você""",
    "nl": """aan al alles als altijd ben bij daar dan dat de deze die dit dus een en er ge geweest haar had heb hebben
        heeft hem het hier hij hoe hun ik in is ja je jij jouw kan kunnen maar me men met mij mijn mijne naar nog nu of
        om omdat ons onze ook op te tot u uit uw van veel voor want was wat we wel werd wij wordt zal ze zei zich zij
        zijn zo zou""",
    "sv": "att av den det du ej en ett från för har hon i jag med mig min mitt mot när och om på sig som så till vi är",
    "da": "af at den det der du en er et for fra han har hun i jeg med mig min mit og om på sig som så til var vi",
    "pl": "a ale co czy do i ich jak jako jest jestem już ja jej jego mi mnie moja moje mój na o od oraz po przez się "
    "są ta tak ten to u w we z za ze że",
    "tr": "ama bana ben beni benim bir bu çok da daha de için ile ise ki ne o olarak sen şu ve veya",
    "ru": "а без бы был была было быть в вы для до его ее и из или их к как ко мне меня мой моя мы на но о об он она "
    "они от по при с со так также то ты у что это этот я",
}

_REQUEST_WORDS_BY_LANGUAGE = {
    "en": """remember remembers remembered remembering forget forgets forgot forgotten forgetting delete deletes deleted
        deleting remove removes removed erase erased erasing wipe clear memory memories memorized profile data
        information info record records everything anything something nothing know knows knew known say said tell told
        store stored save saved note noted keep kept whole entire""",
    "de": """merk merke merken erinnere vergiss vergessen lösche löschen alles weißt wissen gespeichert speichern
        gedächtnis daten angaben""",
    "fr": "oublie oublier oubliez efface effacer supprime tout tous retiens souviens mémoire données sais savez",
    "es": "olvida olvidar olvídate borra borrar elimina todo recuerda memoria datos sabes guardado",
    "it": "dimentica dimenticare cancella elimina tutto ricorda memoria dati sai",
    "pt": "esquece esqueça esquecer apaga apague tudo lembra memória dados sabe",
    "nl": "vergeet wis verwijder alles onthoud geheugen gegevens weet",
    "scripts without blanks": """记住 記住 忘记 忘記 忘掉 删除 刪除 关于 關於 一切 全部 所有 信息 資訊 资料 資料
        记忆 記憶 覚え 忘れ 削除 すべ べて 기억 삭제 전부""",
}

_FAINT_WORDS_BY_KIND = {
    "what profiles say of anybody": """user users work works worked working use uses used using like likes liked prefer
        prefers preferred want wants wanted need needs needed live lives lived living get gets got make makes made go
        goes went going come comes take takes new old good well thing things way lot currently current today always
        often usually based
        nutzer arbeite arbeitet arbeiten nutze nutzt benutze benutzt mag bevorzuge bevorzugt möchte will brauche braucht
        wohne wohnt lebe lebt neu utilisateur travaille utilise préfère aime veux veut besoin habite usuario trabajo
        trabaja uso usa prefiero prefiere quiero quiere necesito necesita vivo vive utente lavoro lavora preferisco
        preferisce voglio vuole gebruiker werk werkt gebruik gebruikt woon woont""",
    "negation": """no not non never none neither nor without cannot nicht nie niemals kein keine keinen keinem keiner
        keines nein jamais aucun aucune nunca ningún ninguna mai nessun nessuna não nenhum niet nooit geen nee inte
        ikke aldrig nie нет не""",
    "scripts without blanks": "用户 用戶 喜欢 喜歡 使用 工作 需要 想要 一个 一個 现在 現在 仕事 使い 好き 사용 좋아",
}

STOP_WORDS = frozenset(word for words in STOP_WORDS_BY_LANGUAGE.values() for word in words.split())
REQUEST_WORDS = frozenset(word for words in _REQUEST_WORDS_BY_LANGUAGE.values() for word in words.split())
FAINT_WORDS = REQUEST_WORDS | frozenset(word for words in _FAINT_WORDS_BY_KIND.values() for word in words.split())

# What turns a statement round, though most are stop words: negations, and of two opposite prepositions ("before" and
# "after") the one that has fewer other meanings, which is enough to tell them apart ("nach" and "over" have many).
NEGATIONS = frozenset(
    """no not non never none neither nor without cannot nicht nie niemals ohne kein keine keinen keinem keiner keines
    keinerlei ne pas jamais aucun aucune sans sin nunca ningún ninguna senza nessun nessuna não sem nenhum niet nooit
    geen zonder inte ikke aldrig bez не нет без""".split()  # noqa: SIM905 - a list of words is read as a text
)
NEGATING_CHARACTERS = frozenset("不没沒")
CONTRASTS = frozenset(
    "before under below vor unter avant sous antes bajo prima sotto sob voor onder".split()  # noqa: SIM905 - a list of words is read as a text
)

# Grammar of scripts without blanks: characters that part runs, and pairs that are endings only.
STOP_CHARACTERS = frozenset("的了我你您他她它們们是在吗嗎呢吧啊也很はがをにでとのもへやた")
STOP_PAIRS = frozenset(
    """
    です ます まし した して する しい いる いま ませ せん ない から まで こと よう って った んで
    니다 습니 입니 하고 에서
    """.split()  # noqa: SIM905 - a list of words is read as a text
)
