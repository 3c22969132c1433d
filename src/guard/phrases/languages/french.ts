/** Suspicious phrases in French. */
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
}
