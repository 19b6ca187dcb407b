import type { Lang } from '../../words.ts'

/**
 * Why an attempt failed is kept in English, as the API says it. Where a reader prefers French, what is
 * known is shown in French; parts of a system's own message stay as they are.
 */
const FRENCH: readonly (readonly [RegExp, string])[] = [
  [
    /^the receiver answered with (\d+) instead of a 2xx$/,
    'le destinataire a répondu $1 au lieu d’un 2xx',
  ],
  // Attempts of earlier versions are stored with "asked for 30 s of patience".
  [
    /^the receiver answered with (\d+) instead of a 2xx and asked (?:to wait|for) (\d+) s\b.*$/,
    'le destinataire a répondu $1 au lieu d’un 2xx et demande d’attendre $2\u00a0s',
  ],
  [
    /^the receiver answered with a redirect \((\d+)\); redirects are not followed$/,
    'le destinataire a répondu par une redirection ($1)\u202f; les redirections ne sont pas suivies',
  ],
  [
    /^the receiver answered with 410 \(gone\): the endpoint/,
    'le destinataire a répondu 410 (gone)\u00a0: l’URL est suspendue jusqu’à ce qu’elle soit enregistrée de nouveau ou qu’un renvoi soit demandé',
  ],
  [
    /^the receiver answered with 410 \(gone\): this callback/,
    'le destinataire a répondu 410 (gone)\u00a0: ce callback est suspendu jusqu’à son renvoi',
  ],
  [
    /^the receiver answered with 101.*$/,
    'le destinataire a répondu 101 (switching protocols) sans qu’on le lui demande',
  ],
  [/^no callback address is set for .*$/, 'aucune URL de callback n’est définie pour ce type'],
  [
    /^no callback address is set; .*$/,
    'aucune URL de callback n’est définie\u202f; il attend un client à l’écoute',
  ],
  [
    /^the outcome of the payment was reported meanwhile$/,
    'l’issue du paiement a été annoncée entre-temps',
  ],
  [
    /^the node that was sending it ended .*$/,
    'le nœud qui l’envoyait s’est arrêté avant d’en noter le résultat\u202f; le destinataire l’a peut-être reçu, il part donc de nouveau',
  ],
  [
    /^the node stood still .*$/,
    'le nœud est resté figé avant de pouvoir l’envoyer\u202f; rien n’est parti',
  ],
  [/^the attempt was interrupted by a fault$/, 'l’essai a été interrompu par une panne'],
  [/^the service is shutting down$/, 'le service s’arrêtait'],
  [
    /^the sandbox answered with 500 .*$/,
    'le bac à sable a répondu 500 à la place du destinataire, qui n’a pas été appelé\u00a0: votre destinataire est réglé pour échouer',
  ],
  [/^connection refused$/, 'connexion refusée'],
  [/^connection reset$/, 'connexion interrompue'],
  [
    /^the receiver closed the connection .*$/,
    'le destinataire a fermé la connexion sans réponse complète',
  ],
  [/^the host cannot be reached$/, 'l’hôte est injoignable'],
  [/^the network of the host cannot be reached$/, 'le réseau de l’hôte est injoignable'],
  [
    /^the name does not resolve: .*$/,
    'le nom ne peut être résolu\u00a0: le serveur de noms n’a pas répondu',
  ],
  [/^the name does not resolve$/, 'le nom n’existe pas'],
  [/^the headers of the answer are too long$/, 'les en-têtes de la réponse sont trop longs'],
  [/^the answer has another length .*$/, 'la réponse n’a pas la longueur annoncée'],
  [/^no connection within (.+) s$/, 'pas de connexion en $1\u00a0s'],
  [
    /^no free connection within (.+) s: .*$/,
    'pas de connexion libre en $1\u00a0s\u00a0: d’autres requêtes sont en cours',
  ],
  [/^no answer within (.+) s$/, 'pas de réponse en $1\u00a0s'],
  [/^no complete answer within (.+) s$/, 'pas de réponse complète en $1\u00a0s'],
  [/^address refused: /, 'adresse refusée\u00a0: '],
  [/^the answer is not valid HTTP: /, 'la réponse n’est pas du HTTP valide\u00a0: '],
  [/^no encrypted connection: /, 'pas de connexion chiffrée\u00a0: '],
  [/^the certificate is not trusted: /, 'le certificat n’est pas reconnu\u00a0: '],
  [/^the request failed: /, 'la requête a échoué\u00a0: '],
]

export function reasonText(reason: string, lang: Lang): string {
  const [form, french] = (lang === 'fr' && FRENCH.find(([one]) => one.test(reason))) || []
  const text = form === undefined || french === undefined ? reason : reason.replace(form, french)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, '.')
}
