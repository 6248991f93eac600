// German. What went wrong.

export default {
  "error.offline": "Der Dienst antwortet nicht. Läuft er noch?",
  "error.bad-position": "Das ist keine Stellung nach diesen Regeln.",
  "error.bad-material": "Das ist kein Material nach diesen Regeln.",
  "error.bad-query": "Der Dienst versteht diese Anfrage nicht.",
  "error.bad-body": "Der Dienst versteht diese Anfrage nicht.",
  "error.bad-path": "Der Dienst versteht diese Anfrage nicht.",
  "error.unknown-rules": "Diese Regeln sind nicht geladen.",
  "error.too-many-pieces": "Keine Tabelle fasst so viele Tiere.",
  "error.missing-table": "Dafür ist keine Tabelle geladen.",
  "error.no-such-path": "Der Dienst kennt diese Adresse nicht.",
  "error.timeout": "Die Anfrage dauerte zu lange.",
  "error.body-too-long": "Das ist dem Dienst zu lang.",
  "error.too-many-positions": "Das sind zu viele Stellungen für eine Anfrage.",
  "error.too-large": "Dieses Material hat zu viele Stellungen, um sie zu zählen.",
  "error.rate-limited": "Zu viele Anfragen von hier in kurzer Zeit.",
  "error.overloaded": "Der Dienst ist gerade überlastet.",
  "error.unavailable": "Die Tabelle lässt sich gerade nicht lesen.",
  "error.damaged-table": "Die Tabelle dieses Materials ist beschädigt.",
  "error.internal": "Im Dienst ist ein Fehler aufgetreten.",

  "fault.ranks": {
    one: "{n} Reihe, aber das Brett hat {expected}.",
    other: "{n} Reihen, aber das Brett hat {expected}.",
  },
  "fault.width": {
    one: "Reihe {rank} hat {n} Feld, aber das Brett hat 7 Linien.",
    other: "Reihe {rank} hat {n} Felder, aber das Brett hat 7 Linien.",
  },
  "fault.symbol": "Reihe {rank}: „{symbol}“ ist weder ein Tier noch eine Lücke von 1 bis 7 Feldern.",
  "fault.twice": "{piece} auf {first} und auf {second}: Jede Seite hat jedes Tier nur einmal.",
  "fault.animal": "{piece} auf {square}: Dieses Tier gibt es in diesem Spiel nicht.",
  "fault.water": "{piece} auf {square}: Dieses Tier kann nicht ins Wasser.",
  "fault.den": "{piece} auf {square}: Kein Tier betritt die eigene Höhle.",
  "fault.trap": "{piece} auf {square}: Diese Regeln halten es von Fallen fern.",
  "fault.side": "Die Seite am Zug fehlt: w oder b hinter die Reihen setzen.",
};
