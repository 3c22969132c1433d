/** Suspicious phrases in French. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const FRENCH: Phrases = {
  run_command_request: [
    /appuye\w{0,2}[^.!?]{0,40}\b(?:windows|win) ?(?:\+|et) ?(?:la touche )?r\b|ouvr\w{0,3}[^.!?]{0,40}(?:terminal|powershell|invite de commandes|executer)[^.!?]{0,120}colle/,
    /verifi|captcha|robot|repar|corrig|affich|voir|debloqu|acced|continuer|confirm/,
  ],
  credential_request:
    /(?:confirm(?:er|ez)|verifi(?:er|ez)|mett(?:re|ez) a jour|valid(?:er|ez)|reactiv(?:er|ez)|debloqu(?:er|ez)|actualis(?:er|ez)|regularis(?:er|ez)|complet(?:er|ez)|identifi(?:er|ez)) (?:immediatement |des maintenant |rapidement )?(?:votre|vos|de vos|les) (?:[a-z'-]{1,30} ){0,3}(?:compte|comptes|identite|mot de passe|identifiants|donnees|informations|coordonnees|carte|carte vitale|dossier|boite|messagerie|moyen de paiement|acces|espace client|situation)\b(?! de livraison)/,
  secret_on_page:
    /(?:saisi(?:r|ssez)|entr(?:er|ez)|renseign(?:er|ez)|indiqu(?:er|ez)|fourni(?:r|ssez)) (?:votre|vos|le|les) (?!nouveau)(?:[a-z'-]{1,30} ){0,3}(?:mot de passe|code secret|code confidentiel|code pin|numero de carte|identifiants|codes? d'acces|cryptogramme|coordonnees bancaires|informations bancaires)/,
  secret_by_mail:
    /(?:envoye[rz](?:-nous|-moi)?|communique[rz](?:-nous|-moi)?|transmett(?:re|ez)(?:-nous|-moi)?|repond(?:re|ez) avec) (?:votre|vos) (?:[a-z'-]{1,30} ){0,3}(?:mot de passe|code secret|code confidentiel|numero de carte|identifiants|code pin)/,
  account_threat:
    /(?:compte|carte|acces|boite|messagerie|profil|espace client|abonnement)[^.!?]{0,30}(?:a ete|est|sera|va etre|etre|seront|ont ete) (?:temporairement |provisoirement |definitivement |bientot )?(?:suspendue?s?|bloquee?s?|limitee?s?|desactivee?s?|fermee?s?|restreinte?s?|supprimee?s?|resiliee?s?|cloturee?s?|verrouillee?s?)|(?:activite|connexion|tentative|transaction) (?:inhabituelle|suspecte|non autorisee|frauduleuse)|(?:eviter|empecher) (?:la suspension|la fermeture|le blocage|la desactivation|la cloture)|(?:boite|messagerie|espace de stockage)[^.!?]{0,30}(?:pleine|plein|sature)|mot de passe (?:expire|va expirer|arrive a expiration)/,
  payment_problem:
    /(?:paiement|prelevement)[^.!?]{0,40}(?:refuse|echoue|rejete|n'a pas pu|pas ete accepte)[^!?]{0,120}(?:mettre a jour|mettez a jour|coordonnees|moyen de paiement|informations)/,
  urgency:
    /(?:dans les|sous|d'ici) (?:24|48|72|12|6|2) ?(?:heures|h\b)|immediatement|\burgent|de toute urgence|dernier (?:rappel|avis|avertissement)|derniere (?:chance|relance avant)|agissez (?:maintenant|vite)|sans delai|dans les plus brefs delais/,
  reward_lure:
    /vous avez (?:ete )?(?:gagne|remporte|selectionnee?|tire au sort)|(?:reclam(?:er|ez)|recuper(?:er|ez)|obten(?:ir|ez)|demand(?:er|ez)) (?:votre|vos) (?:[a-z'-]{1,30} ){0,2}(?:prix|gain|cadeau|remboursement|recompense|bonus|prime)|(?:eligible|beneficiez|droit|beneficier) [^.!?]{0,40}remboursement|remboursement (?:d'un montant |d'impot |en votre faveur |de l'impot )?(?:de|d'un montant de) \d/,
  parcel_fee:
    /(?:colis|livraison|envoi|paquet)[^!?]{0,120}(?:frais de (?:douane|livraison|port|reexpedition|dossier|traitement|reacheminement)|droits de douane|affranchissement)|(?:colis|livraison|paquet)[^.!?]{0,60}(?:en attente|n'a pas pu etre livre|suspendu|bloque|retenu)[^!?]{0,120}(?:confirm(?:er|ez)|regl(?:er|ez)|pay(?:er|ez)|frais)/,
  advance_fee: [
    /(?:heritage|succession|beneficiaire|defunt|decede|plus proche parent|legs|donation|leguer|heritier)/,
    /(?:million|millions|milliard)s? (?:de |d')?(?:dollars|euros|usd|eur)|\d{1,3}(?:[ .,]\d{3}){2}/,
  ],
  lottery: [
    /(?:loterie|tirage|loto|tombola)[^!?]{0,200}(?:gagne|gagnant|remporte|heureux)/,
    /(?:contact|huissier|reclam|million|lot |numero gagnant|notaire|maitre)/,
  ],
  extortion: [
    /(?:pirate|hacke|enregistre|filme|infecte|acces complet|cheval de troie|logiciel malveillant)[^!?]{0,200}\b(?:vos|votre|vous|ta|ton|tes)\b/,
    /bitcoin|\bbtc\b|monero|cryptomonnaie/,
    /(?:contacts|amis|famille|publier|diffuser|proches|collegues|publierai|enverrai)/,
  ],
  gift_cards: [
    /(?:achet|procur|besoin|prendre|trouv)[^.!?]{0,60}(?:cartes? cadeaux?|cartes? google play|cartes? steam|cartes? itunes|pcs mastercard|coupons? (?:pcs|transcash|neosurf)|recharges? (?:pcs|transcash|neosurf))/,
    /(?:codes?|photo|envo|gratte)/,
  ],
  changed_bank_details:
    /(?:nouvelles|nouveau|nouveaux|changement de|changement d'|modification de|modification d') ?(?:nos |notre |vos |mes |mon )?(?:coordonnees bancaires|rib\b|iban\b|compte bancaire|domiciliation bancaire)|(?:coordonnees bancaires|notre rib|mon rib|compte bancaire)[^.!?]{0,30}(?:ont change|a change|ont ete modifi|a ete modifi)/,
  secrecy:
    /(?:strictement|absolument|totalement) confidentiel|(?:n'en parle[rz]?|ne parle[rz]?)[^.!?]{0,30}(?:personne|a quiconque)|(?:pas joignable|injoignable|en reunion)[^.!?]{0,60}(?:mail|telephone|appel)|uniquement par (?:mail|e-mail|courriel)/,
  money_in_haste: [
    /(?:virement|paiement|payer|regler|transfert)/,
    /\burgent|immediatement|sans delai|aujourd'hui meme|des que possible/,
  ],
  guaranteed_profit:
    /(?:gains?|rendements?|profits?|revenus?|benefices?) (?:[a-z]{1,20} )?(?:garantie?s?|sans risque)|doublez (?:votre|vos)|\d{1,4} ?% (?:par jour|par semaine|quotidien)|(?:investi|trading|crypto|bitcoin)[^.!?]{0,60}(?:sans risque|devenir riche|liberte financiere)/,
  job_scam:
    /gagn(?:er|ez)[^.!?]{0,40}(?:par jour|par heure|par semaine)[^!?]{0,160}(?:whatsapp|telegram|domicile|sans experience|chez vous)|(?:sans experience|a domicile|depuis chez vous)[^!?]{0,160}gagn(?:er|ez)[^.!?]{0,60}(?:par jour|par heure|par semaine)/,
  qr_code: /(?:scann(?:er|ez)|flash(?:er|ez)) (?:le |ce |ci-dessous )[^.!?]{0,30}(?:qr ?code|code qr|qr-code)/,
  ...intentsOf({
    machine: /\b(?:l'ia|ia|assistant\w{0,2}|agent|agents|bot|robot|chatbot|modele)\b/,
    owner: /\b(?:proprietaire|titulaire)\b/,
    ignore:
      /\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|ne tiens pas compte|ne tenez pas compte|contourne[rz]?|annule[rz]?)\b/,
    instructions: /(?:instructions|consignes|regles|directives|ordres|invite systeme|prompt)/,
    isVoid:
      /(?:consignes|instructions|regles|limites|restrictions)[^.!?]{0,30} (?:ne s'appliquent plus|sont (?:annulees|levees|caduques|suspendues|remplacees)|ne valent plus)|nouvelles (?:consignes|instructions) ?[,:]|mode (?:maintenance|developpeur|debug) (?:actif|active)|considere[rz]? que je suis (?:l')?admin/,
    conceal:
      /sans (?:poser de question|demander|prevenir|confirmation|validation|en parler|passer par)|inutile (?:d'en parler|de (?:demander|prevenir|passer|consulter|le dire))|(?:proprietaire|titulaire|utilisateur|responsable)[^.!?]{0,30}(?:n'a pas besoin|ne doit pas|est d'accord|a (?:deja )?(?:valide|approuve|donne))|n'en parle[rz]? pas|ne (?:le |la )?mentionne[rz]? pas|supprime[rz]? (?:ensuite |toute )|(?:deja|prealablement) valide|efface[rz]? (?:ensuite|toute)/,
    give: /\b(?:envoie[rz]?|envoye[rz]|transfere[rz]?|transmet\w{0,3}|donne[rz]?|repond(?:s|ez|re)?|colle[rz]?|affiche[rz]?|copie[rz]?|liste[rz]?|partage[rz]?|communique[rz]?|montre[rz]?|dis|passe[rz]?|fais suivre|faites suivre|achete[rz]?)\b/,
    machineSecrets:
      /(?:prompt systeme|invite systeme|cles? (?:d')?api|variables d'environnement|tes (?:consignes|instructions|regles|cles|jetons)|jeton (?:d'acces|de session)|ta configuration|\.env\b|dernier code recu)/,
    allMail:
      /(?:tous les (?:mails|courriels|messages|e-mails|contacts)|toute la boite|(?:les|des) (?:\S{1,8} )?derniers (?:mails|courriels|messages|clients)|carnet d'adresses|pieces jointes du mois|liste des (?:clients|contacts)|factures des|chaque (?:mail|message)|tout ce qui arrive)/,
    takeover:
      /(?:ajoute|mets?|mettez|change|remplace|definis)[rz]?[^.!?]{0,60}(?:adresse de (?:recuperation|secours)|administrateurs?|transfert automatique|redirection)|valide[rz]? le paiement|rembourse[rz]?[^.!?]{0,60}(?:cloture|sans)|execute[rz]?[^.!?]{0,40}(?:commande|script|curl)|mets? cinq etoiles/,
    code: /\b(?:code|codes|chiffres)\b/,
    isSent:
      /(?:(?:recu|recevoir|recevras|recevrez|arrive|envoye|tombe)|par sms|sur (?:ton|votre) (?:telephone|portable))/,
    seed: /(?:(?:12|24|douze|vingt-quatre) mots|phrase (?:de recuperation|secrete|seed)|seed ?phrase)/,
    enter: /\b(?:saisi\w{0,5}|entre[rz]?|indique[rz]?|tape[rz]?|renseigne[rz]?|importe[rz]?)\b/,
    unprotect:
      /(?:desactive|coupe|arrete)[rz]?[^.!?]{0,30}(?:antivirus|defender|pare-feu|protection)|executer quand meme|installer quand meme|activer? (?:le contenu|les macros|la modification)|"activer le contenu"|sources? inconnues?/,
    oldAccount:
      /(?:ancien|compte habituel|compte actuel|precedent)[^.!?]{0,50}(?:bloque|ferme|cloture|en (?:cours d')?audit|n'est plus|ne fonctionne plus|suspendu|controle)/,
    noCall:
      /(?:ne (?:m'appele|m'appelle|telephone|rappele)\w{0,2})|injoignable|(?:pas|plus) (?:joignable|par telephone|de telephone)|telephone[^.!?]{0,30}(?:ne marche|en panne|coupe|hors service)|(?:reponde[zs]|repond|ecri(?:s|vez))[^.!?]{0,16} (?:uniquement|seulement|que) (?:a|sur|par|ici)|micro (?:ne|est)/,
    pay: /\b(?:pay\w{1,4}|paiement|virement|vir(?:er|ez)|regle[rz]?|reglement|facture|argent|somme|verse[rz]?|loyer)\b/,
    wages: /\b(?:salaire|paie|paye|remuneration)\b/,
    newAccount: /\b(?:nouveau (?:compte|rib)|nouvel iban|nouvelle banque|autre compte|change de banque|ci-joint)/,
    channel: /(?:sur|par|via) (?:whatsapp|telegram|signal|viber)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /(?:n'en|ne) (?:parle|parlez|dis|dites)[^.!?]{0,30}(?:rien|personne|pas)|entre nous|garde[rz]? (?:ca|cela|le) pour|ne (?:m'appele|m'appelle|telephone)|(?:banque|site|plateforme)[^.!?]{0,30}(?:bloque|lent|comprendr|pose des)|confidentiel|discretion|pas par telephone/,
    parent: /\b(?:maman|papa|mamie|papi|coucou maman|coucou papa)\b/,
    newPhone:
      /(?:nouveau (?:numero|telephone|portable)|(?:telephone|portable) (?:est )?(?:casse|tombe|perdu|mort)|change de numero|fait tomber)/,
    deadline:
      /(?:\d{1,3} ?(?:heures|jours|h\b)|delai|avant (?:demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|le)|sinon|a defaut|si vous ne|si tu ne)/,
    orElse:
      /(?:publi|diffus|contacts|famille|collegues|amis|voisins|employeur|mauvais avis|attaque|police|j'efface|envoyes? a)/,
    task: /(?:like[rz]?|aime[rz]?|note[rz]?|noter|clique[rz]?|evalue[rz]?|abonne[rz]?|teste[rz]?)[^.!?]{0,30}(?:videos?|hotels?|produits?|applis?|applications?|comptes?|pages?|annonces?)/,
    perDay: /(?:par|chaque) (?:jour|tache|heure|semaine|clic)|quotidien|commission/,
    topUp: /(?:depot|deposer|recharge|niveau suivant|avance[rz]?|caution|debloquer|kit)/,
    courier: /\b(?:coursier|livreur|transporteur|chauffeur|mondial relay)\b/,
    collects: /(?:recuper|passe|vient|chercher|enleve|prend)/,
    card: /(?:carte|banque|iban|compte|coordonnees bancaires|recevoir (?:l'argent|le paiement))/,
    unseen:
      /cles?[^.!?]{0,60}(?:poste|coursier|courrier|colis|agence|envoye)|(?:a l'etranger|autre pays|mute)[^.!?]{0,100}(?:visit|montrer|cles)|visite[^.!?]{0,50}(?:impossible|apres|avant)|avant (?:la|toute) visite/,
    home: /(?:appartement|logement|studio|maison|chambre|loyer)/,
    deposit: /(?:caution|acompte|depot|premier loyer|reservation|virement)/,
    toll: /\b(?:peage|amende|antai|contravention|stationnement|forfait post)\w{0,4}\b/,
    isOpen: /(?:impaye|en attente|non regle|majoration|regularis|restant du|regle[rz]|paye[rz]|dernier rappel)/,
    safeAccount:
      /(?:sur|vers) (?:un|le|votre|ton|notre) (?:compte|portefeuille) (?:securise|de securite|sur|protege|sequestre)|mettre (?:vos|ton|votre)[^.!?]{0,20}(?:fonds|argent|epargne) (?:a l'abri|en securite)/,
    notYou: /(?:debite|prelev|renouvel|abonnement|commande|annul|si ce n'est pas vous|contester|remboursement)/,
    call: /\b(?:appele[rz]?|appel|telephone[rz]?|joindre|composez|contacte[rz]?)\b/,
    donation: /(?:\bdons?\b|donnez|victimes|orphelin|seisme|inondation|refugies|collecte)/,
    giftCards: /(?:cartes? cadeaux?|pcs|transcash|neosurf|coupons? recharge|cartes? (?:steam|apple|google))/,
    threat:
      /(?:tu vas|vous allez) (?:le )?(?:regretter|payer|souffrir)|je sais ou (?:tu|vous) habit|surveille tes arrieres|personne ne te regrett|si je ne peux pas t'avoir|je vais te (?:tuer|faire mal|detruire|retrouver)|tu (?:es|n'es) (?:une (?:ordure|merde)|un dechet|rien\b|qu'un)|creve\b/,
  }),
}
