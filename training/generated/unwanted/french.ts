/** Unwanted mail in French. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('fr')

export const french: Template[] = [
  phishing('banque', {
    from: 'brand {<brand>|<brand> {Sécurité|Service client|Info}}',
    brands: [
      'Crédit Agricole',
      'BNP Paribas',
      'La Banque Postale',
      'Société Générale',
      'Banque Valoire',
      'Crédit Lumière',
    ],
    subject:
      '{{Important|Alerte} : {votre compte est {suspendu|limité}|opération suspecte}|{Mise à jour|Activation} {obligatoire |}de {Certicode Plus|SécuriPass|votre clé digitale}|{Vous avez|} 1 nouveau message {sécurisé|de votre conseiller}|Un {virement|bénéficiaire} a été ajouté}',
    body: `
      {Cher(e) client(e)|Bonjour|Madame, Monsieur},
      {{Dans le cadre de|Conformément à} la {directive européenne DSP2|nouvelle réglementation}, {vous devez {activer|mettre à jour}|il est obligatoire d{\'|’}activer} {votre {service|clé} de sécurité|votre Pass Sécurité}.|{Nous avons|Notre système a} {constaté|détecté} {une connexion inhabituelle|une opération suspecte de <amount>} sur votre compte{ le <date>|}.|{Un nouveau bénéficiaire|Un virement de <amount>} {a été|vient d{\'|’}être} {ajouté|enregistré}{ sur votre espace|}. Si vous n{\'|’}êtes pas à l{\'|’}origine de cette opération, {annulez-la immédiatement|contactez-nous via le lien}.}
      ~ {{Merci de|Nous vous invitons à} {confirmer vos {informations|coordonnées}|vous identifier} {sous <n 24-72> heures|avant le <soon>}.|L{\'|’}opération ne prend que quelques minutes.}
      ~ ? {{Sans {action|réponse} de votre part|À défaut}, {votre compte sera {bloqué|suspendu}|votre carte sera désactivée}.|Des frais de <price> pourront être appliqués.}
      @ {{Accéder à|Se connecter à} mon {espace|compte}|Confirmer mes informations|Activer {maintenant|le service}|Annuler l{\'|’}opération}
      {Cordialement|Nous vous remercions de votre confiance|Bien cordialement},<br>{Le service {clientèle|sécurité}|Votre conseiller <brand>}
      ? % Ceci est un message automatique, merci de ne pas y répondre.
    `,
  }),
  phishing('colis', {
    from: 'brand {<brand>|<brand> {Livraison|Suivi}}',
    brands: ['Colissimo', 'La Poste', 'Chronopost', 'Mondial Relay', 'DPD', 'Colivia'],
    subject:
      "{Votre colis {est en attente|n'a pas pu être livré}|{Colis|Livraison} <code> : {action requise|frais de douane}|{Dernier rappel|Avis de passage}|Frais {de douane|d'expédition} : <fee>}",
    body: `
      {Bonjour|Cher client|Chère cliente, cher client},
      {Votre colis {n° <code> |}{est {bloqué|retenu} {en douane|dans notre dépôt}|n{\'|’}a pas pu être livré {ce jour|le <date>} {en raison d{\'|’}une adresse incomplète|car vous étiez absent|car il ne rentrait pas dans la boîte aux lettres}}.|Des frais {de douane|d{\'|’}expédition} de <fee> restent à {régler|payer} pour {votre colis|l{\'|’}envoi <code>}.}
      * N° de suivi : <code>
      ? * Montant : <fee>
      {Pour {recevoir|débloquer} votre colis|Afin de programmer une nouvelle livraison}, {merci de|veuillez} {régler {les frais|<fee>}|confirmer votre adresse}{ {sous|dans les} 48 heures|}.
      ? {Passé ce délai, {le|votre} colis sera {retourné à l{\'|’}expéditeur|détruit}.|Cette opération est sécurisée.}
      @ {{Suivre|Recevoir} mon colis|Payer {les frais|<fee>}|Programmer {la|ma} livraison|Confirmer mon adresse}
      ? {L{\'|’}équipe <brand>|<brand> vous remercie.}
    `,
  }),
  phishing('ameli-impots', {
    from: 'odd {<brand>|Assurance Maladie|<brand> {Notification|Service}}',
    brands: ['Ameli', 'impots.gouv.fr', 'ANTAI', 'CAF', 'FranceConnect', "Crit'Air"],
    subject:
      '{{Votre|Renouvellement de} {nouvelle |}carte Vitale{ est disponible|}|{Remboursement|Avis de remboursement} {de <amount>|en attente}|{Amende|Avis de contravention} {impayée|n° <ref>}|<brand> : {dernier rappel|document disponible}}',
    body: `
      {Bonjour|Madame, Monsieur|Cher contribuable|Cher(e) assuré(e)},
      {Votre {nouvelle |}carte Vitale {V3 |}est {disponible|prête}. {L{\'|’}ancienne {expire|ne sera plus valable} le <soon>.|}|{Après|Suite à} {les derniers calculs|l{\'|’}étude} {annuels |}de {votre activité|votre dossier}, nous avons {déterminé|constaté} que vous êtes {éligible à|en droit de recevoir} un remboursement de <amount>.|{Sauf erreur|À ce jour}, {votre amende|l{\'|’}avis <ref>} {d{\'|’}un montant de <price> |}{reste impayée|n{\'|’}a pas été réglé}{ : {elle|il} sera majoré{e|} à <amount>|}.}
      {{Veuillez|Merci de} {remplir le formulaire|{confirmer|mettre à jour} vos {informations|coordonnées bancaires}|régulariser votre situation} {avant le <soon>|sous 48 h|en ligne}.|Seuls les frais d{\'|’}envoi de <fee> sont à votre charge.}
      @ {Accéder {au formulaire|à mon compte|au remboursement}|Payer {mon amende|en ligne}|{Commander|Recevoir} ma carte|Mettre à jour}
      ? * Référence : <ref>
      {Cordialement|Avec toute notre attention},<br>{Votre correspondant <brand>|Le service <brand>|La direction générale}
    `,
  }),
  phishing('messagerie', {
    from: 'own {Service {informatique|messagerie}|Administrateur|Webmail <domain>|Support {technique|Zimbra}}',
    subject:
      "{Votre {boîte|messagerie} {est {presque |}pleine|sera désactivée}|{Mot de passe|Session} {expire|expiré} {aujourd'hui|le <soon>}|<n 2-9> {messages|mails} {en attente|bloqués}|{Mise à niveau|Maintenance} {Zimbra|du webmail}}",
    body: `
      {Cher utilisateur|Bonjour {<local>|<user>}|Chers collègues},
      {Votre {boîte aux lettres|messagerie} a {dépassé|atteint} {la limite de stockage|<n 95-99> % de son quota}{ et vous ne {pourrez|pouvez} plus {recevoir|envoyer} de messages|}.|Le mot de passe de <user> expire {aujourd{\'|’}hui|dans <n 1-3> jour(s)}.|<n 2-9> messages entrants {n{\'|’}ont pas été remis|sont en attente} {suite à une erreur de synchronisation|sur le serveur}.|Nous {procédons à|effectuons} une {mise à niveau|maintenance} de {tous les comptes|la messagerie}{ cette nuit|}.}
      {Veuillez|Merci de} {{valider|confirmer} votre compte|vous {re|}connecter {avec votre mot de passe actuel|}|cliquer {ci-dessous|sur le lien}} {pour {augmenter {le|votre} quota|conserver votre mot de passe|récupérer vos messages}|dans les 24 heures}.
      @ {{Augmenter|Valider} {mon quota|maintenant}|Conserver {le|mon} mot de passe|Libérer les messages|Cliquez ici|Se connecter}
      ? {Le non-respect de cette consigne entraînera la {fermeture|désactivation} de votre compte.|{Sinon|Faute de quoi}, votre compte sera {supprimé|bloqué}.}
      {Le service informatique|Administrateur système|L{\'|’}équipe {support|<domain>}}
    `,
  }),
  phishing('abonnement-document', {
    from: 'robbed {<name>|<brand>|<name> via <brand>}',
    brands: ['Netflix', 'DocuSign', 'WeTransfer', 'Spotify', 'Orange', 'Microsoft', 'Signova'],
    subject:
      '{<brand> : {paiement refusé|mettez à jour vos informations}|{Facture|Document} <ref> {à {signer|consulter}|en attente}|<name> {vous a envoyé|a partagé} {un fichier|des documents}|Votre {abonnement|ligne} {est suspendu|expire}}',
    body: `
      {Bonjour{ <to>|}|Cher client},
      {Nous n{\'|’}avons pas pu {valider|prélever} votre {dernier |}paiement{ de <price>|}. {Votre {abonnement|compte} {sera|est} {suspendu|résilié}{ sous 48 h|}.|}|<name> ({<company>|comptabilité}) vous a {envoyé|transmis} un document à {consulter|signer}{ : facture_<n 100-999>.pdf|}.|Vous avez {reçu|} {un fichier|<n 2-5> fichiers}, <n 1-20> Mo au total ; {le lien|il} expire le <soon>.}
      ? {Connectez-vous avec votre adresse e-mail {et votre mot de passe |}pour {l{\'|’}ouvrir|continuer}.|Mettez à jour vos {coordonnées|informations de paiement} pour {continuer|éviter la coupure}.}
      @ {Mettre à jour|Consulter le document|Télécharger{ les fichiers|}|Signer|Voir la facture|Régulariser}
      {L{\'|’}équipe <brand>|Cordialement,<br><name>|Merci}
    `,
  }),
  scam('don-heritage', {
    from: 'free {{Mme|M.|Maître} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Don|Donation}{ de <million>|}|{Bonjour|Bien-aimé(e)}{ en Christ|}|{Succession|Héritage} {de|en votre faveur}|{Message|Proposition} {confidentiel|important|urgente}|{Félicitations|Loterie} : <million>}',
    body: `
      {Bonjour{ à vous|}|Cher ami|Bien-aimé(e) en Christ|Très cher(e)},
      {{Je me nomme|Je suis} {Mme|Maître|Monsieur} <name>, {{je souffre d{\'|’}un cancer|atteinte d{\'|’}une maladie grave} {en phase terminale|et mes jours sont comptés}{, veuve et sans enfants|}. {Je souhaite|J{\'|’}aimerais} faire don de {la somme de |}<million> à {une personne honnête|vous pour aider les {orphelins|démunis}}|{avocat|notaire} {de feu {Monsieur |}<person>|d{\'|’}un client décédé} qui a laissé <million> {dans une banque|sans héritier}}.|Votre adresse e-mail a été {tirée au sort|sélectionnée} {par|lors de} {la loterie|la tombola} {Microsoft|internationale} : vous gagnez <million>.}
      {{Je vous prie|Veuillez} {d{\'|’}accepter|me répondre} {car|et} {c{\'|’}est {un don|ma dernière volonté}|je vous expliquerai {tout|la procédure}}.|Vous {recevrez|aurez} {30|40} % {du montant|de cette somme}{ pour votre aide|}.}
      ? {Que {Dieu|la paix} {vous bénisse|soit avec vous}.|Cette affaire est {sans risque|strictement confidentielle}.}
      {Contactez-moi|Écrivez-moi|Répondez} {à|sur mon adresse{ privée|} :} <mail>{ {avec|en indiquant} vos nom, {pays, |}profession et téléphone|}.
      {Cordialement|Fraternellement|Sincèrement},<br>{{Mme|Me} |}<name>
    `,
  }),
  scam('pret-particulier', {
    from: 'free {{M.|Mme} <name>|<name>|{Crédit|Finance} <last>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      "{{Offre|OFFRE} de {prêt|PRET}{ entre particuliers| sérieux|}|{Besoin d'un|Votre} {prêt|crédit}{ rapide|} ?|{Financement|Témoignage} {rapide|de prêt}|{Investissement|Trading} : gagnez <round>}",
    body: `
      {Bonjour{ Mme/Mr|}|Madame, Monsieur},
      {{Je suis|Nous sommes} {un particulier|une institution} {qui {offre|accorde} des prêts|et nous offrons des crédits} {de|allant de} 5 000 € à <million> à {toute personne {capable de rembourser|honnête}|ceux qui sont dans le besoin} {avec|à} un taux de {2|3} %{ l{\'|’}an|}.|{J{\'|’}étais|Depuis longtemps, j{\'|’}étais} {à la recherche d{\'|’}un prêt|interdit bancaire} {et les banques m{\'|’}ont refusé. {Grâce à|} {Mme |M. }<person> {j{\'|’}ai reçu|m{\'|’}a accordé} <round> {en|sous} 72 heures|}.|{Investissez|Placez} 250 € {dans|avec} {notre plateforme de trading|le bitcoin} et {gagnez|recevez} <round> {par semaine|en 7 jours}{, sans risque|}.}
      ? {Domaines : prêt {immobilier|personnel}, {auto|travaux}, rachat de crédit, {dettes|investissement}.|{Sans {frais|enquête} {à l{\'|’}avance|de banque}|Réponse en 24 h}.|Pas sérieux s{\'|’}abstenir.}
      {Contactez{-nous|-moi|-la}|E-mail}{ :| à l{\'|’}adresse} <mail>{<br>WhatsApp : <chat>|}
      {Merci|Cordialement}<br><name>
    `,
  }),
  scam('chantage-convocation', {
    from: 'free {{Brigade|Police} {des mineurs|judiciaire}|Commissaire <last>|<name>|Europol}',
    looks: ['plain'],
    attach: '{Convocation.pdf|convocation_<n 10-99>.pdf}',
    many: true,
    subject:
      "{{Convocation|CONVOCATION} {judiciaire|officielle|urgente}|{Dernier avertissement|Mandat}|Votre {appareil|compte} {a été piraté|est infecté}|{J'ai|Nous avons} {tout enregistré|des preuves}|Dossier n° <ref>}",
    body: `
      {À votre attention|Bonjour|Madame, Monsieur}{,|.}
      {{Je suis|À la demande de} {le commissaire|M.} <name>, {chef de la brigade {de protection des mineurs|cyber}|directeur de la police judiciaire}. {Vous faites l{\'|’}objet de|Nous engageons} {poursuites judiciaires|plusieurs poursuites} {après|suite à} {une saisie informatique|une cyber-infiltration}{ pour {consultation de sites|exhibition}|}.|{J{\'|’}ai piraté|Je contrôle} {votre appareil|votre ordinateur} {et {j{\'|’}ai filmé|enregistré} {ce que vous faisiez|vos moments intimes} {avec la webcam|devant des sites pour adultes}|depuis des mois}.}
      {Vous êtes prié de {nous |}{répondre|faire parvenir vos justifications} {sous|dans un délai de} 72 h{ à <mail>|}. {Passé ce délai, {un mandat d{\'|’}arrêt|votre dossier} {sera {émis|transmis}|à la presse}.|}|{Versez|Envoyez} <round> en bitcoins {à|sur} <wallet>{ {sous|dans les} 48 heures|}, {sinon|ou} {j{\'|’}envoie la vidéo|tout sera envoyé} à {vos contacts|votre famille}.}
      ? {Vous êtes prévenu.|N{\'|’}en parlez à personne.|Ne répondez pas à ce message.}
    `,
  }),
  scam('directeur-rib', {
    from: 'free {<name>|<toname>|<name> (Direction)}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Urgent|Confidentiel|Important}|{Changement|Nouveau} {de |}RIB|{Bonjour|Demande}{ <to>|}|{Virement|Paiement} {à effectuer|du jour}|{Disponible|Êtes-vous disponible} ?|Facture <ref>}',
    body: `
      Bonjour{ <to>|}{,|}
      {{Êtes-vous|Es-tu} {disponible|au bureau} {maintenant|là} ? {J{\'|’}ai {besoin de vous|une tâche} {pour {un dossier {confidentiel|urgent}|des cartes cadeaux}|à vous confier}.|}|{Merci de|Veuillez} {procéder à|effectuer} un virement de <sum> {aujourd{\'|’}hui|ce jour} {pour {une acquisition|un fournisseur}|}. {Cela {doit rester|est} {strictement |}confidentiel.|}|{Nous vous informons que|Veuillez noter que} nos coordonnées bancaires ont changé. {Merci de {régler|adresser} {nos factures|la facture <ref>} sur le nouveau {compte|RIB}.|}|J{\'|’}ai changé de banque : {pouvez-vous {modifier|mettre à jour} mon RIB pour {le prochain salaire|la paie} ?|que faut-il fournir ?}|{Peux-tu|Pouvez-vous} me rendre un service ? {Achetez|Il me faut} <n 3-8> {cartes|coupons} {PCS|Transcash|Google Play|Neosurf} de 100 € et {envoyez-moi|transmettez} les codes.}
      ? {Je suis en réunion, {répondez|joignable} uniquement par mail.|{J{\'|’}attends|Dans l{\'|’}attente de} votre retour{ rapide|}.}
      {Cordialement|Merci|Bien à vous}{,|}<br>{<first>|<name>}
    `,
  }),
  spam('cadeau-casino', {
    from: 'odd {<brand>|{Cadeau|Offre} {du jour|exclusive}|Casino <first>}',
    brands: ['Carrefour', 'Lidl', 'Decathlon', 'Leroy Merlin', 'Fnac', 'Lucky Soleil'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      "{{Félicitations|Bravo}{ <local>|} !|Vous avez été sélectionné{(e)|}|{Votre|Un} {cadeau|bon d'achat de <round>} {vous attend|à récupérer}|<n 50-200> tours gratuits|{Dernière chance|Confirmation} : {cadeau|colis}}",
    body: `
      # {Félicitations !|Vous avez gagné|Offre {exclusive|du jour}}
      {{Répondez à|Participez à} {notre {court |}sondage|<n 3-8> questions} et {recevez|gagnez} {un bon d{\'|’}achat {<brand> |}de <round>|un iPhone|un set de {casseroles|outils}}{ <brand>|}.|{Inscrivez-vous|Jouez} {maintenant|ce soir} et {recevez|profitez de} <n 100-300> % de bonus {jusqu{\'|’}à <round>|+ <n 20-200> tours gratuits}{ sans dépôt|}.}
      ? {Plus que <n 2-15> {places|pièces} !|Offre valable {aujourd{\'|’}hui seulement|jusqu{\'|’}au <soon>}.}
      @ {{Participer|Jouer|J{\'|’}en profite}{ maintenant|}|Récupérer mon cadeau|Commencer}
      % {Pour ne plus recevoir nos offres|Se désabonner} : <a cliquez ici>
    `,
  }),
  spam('isolation-minceur', {
    from: 'odd {<name>|{Mutuelle|Isolation|Pompe à chaleur|Panneaux solaires|CPF} {Info|Conseil}|{Santé|Minceur} {Plus|Actu}}',
    subject:
      '{{Panneaux solaires|Pompe à chaleur|Isolation} {à 1 €|: aides <year>|gratuite}|{Perdez|Maigrir :} <n 5-20> kilos{ sans régime|}|{Votre {mutuelle|compte CPF}|Mutuelle {senior|santé}} : {comparez|<n 10-50> % moins cher}|{^Viagra^|Pilules} {sans ordonnance|moins cher}}',
    body: `
      {Bonjour|Chers propriétaires|}
      {{L{\'|’}État|Le gouvernement} {finance|prend en charge} jusqu{\'|’}à <n 60-100> % de {votre {isolation|pompe à chaleur}|vos panneaux solaires}{ : {testez votre éligibilité|profitez-en avant le <soon>}|}.|{Perdez|Éliminez} <n 5-20> kilos en <n 3-6> semaines {grâce à|avec} {cette {astuce|boisson}|ces gélules {naturelles|minceur}}{, sans {sport|régime}|}.|{Économisez|Jusqu{\'|’}à} <n 200-600> € {par an |}sur votre {mutuelle|assurance}{ : devis {gratuit|en 2 minutes}|}.|{^Viagra^|^Cialis^} {sans ordonnance|générique}, {livraison discrète|à partir de <n 1-2>,<n 10-99> €}.}
      ? {{Vu à|Comme vu à} la télé.|Gratuit et sans engagement.|Les stocks sont limités !}
      @ {{Tester|Vérifier} mon éligibilité|{Commander|Profiter}{ maintenant|}|{Mon|Recevoir un} devis{ gratuit|}|En savoir plus}
      % <a Se désinscrire>
    `,
  }),
  spam('referencement', {
    from: 'free {<name>|<name> - {Web|Marketing|SEO}}',
    looks: ['plain'],
    subject:
      '{{Votre site|<domain>} {sur la première page|et Google|: audit offert}|{Article invité|Partenariat}{ sur <domain>|}|{Fichier|Base} {de |}{prospects|emailing}|{Création|Refonte} de {votre |}site|Application mobile}',
    body: `
      Bonjour{, {l{\'|’}équipe|je m{\'|’}appelle <first>}|},
      {{Je suis tombé sur|En visitant} {votre site <domain>|<domain>}{ et|, j{\'|’}ai remarqué qu{\'|’}}il {est mal référencé|n{\'|’}apparaît pas sur Google}. {Nous {garantissons|assurons} la première page {en|sous} <n 30-90> jours.|}|{Nous vendons|Je propose} {un fichier|une base} de <n 1-9>00 000 {adresses e-mail|contacts} d{\'|’}entreprises {françaises|mises à jour} {à|pour} <price>.|{Acceptez-vous|Proposez-vous} {les articles sponsorisés|des liens dofollow} sur {votre site|<domain>} ? {Quel est {le|votre} tarif ?|Nous payons par PayPal.}|Nous {créons|développons} des {sites|applications} {professionnels|modernes} à partir de <price>{ par mois|}.}
      ? {Puis-je vous {envoyer|faire parvenir} {un devis|nos tarifs|l{\'|’}audit} ?|Avez-vous <n 10-15> minutes cette semaine ?}
      {Cordialement|Bien à vous},<br><name>{<br>{Consultant|Chargée de clientèle}|}
      ? % Répondez « {STOP|non} » pour ne plus être contacté.
    `,
  }),
]
