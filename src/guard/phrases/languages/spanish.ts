/** Suspicious phrases in Spanish. */
import type { Phrases } from './types.js'

export const SPANISH: Phrases = {
  run_command_request: [
    /(?:presion\w{1,3}|puls\w{1,3}|oprim\w{1,3})[^.!?]{0,40}\b(?:windows|win) ?(?:\+|y) ?(?:la tecla )?r\b|abr\w{1,3}[^.!?]{0,40}(?:terminal|powershell|simbolo del sistema|ejecutar)[^.!?]{0,120}(?:pegu|pega)/,
    /verific|captcha|robot|repar|correg|solucion|mostrar|ver\b|desbloque|acceder|continuar|confirm/,
  ],
  credential_request:
    /(?:confirm(?:e|ar|a)|verifi(?:que|car|ca)|actuali(?:ce|zar|za)|valid(?:e|ar|a)|reactiv(?:e|ar|a)|desbloque(?:e|ar|a)|restaur(?:e|ar|a)|complet(?:e|ar|a)) (?:de inmediato |ahora |inmediatamente )?(?:su|sus|tu|tus|los|la) (?:[a-z-]{1,30} ){0,3}(?:cuenta|cuentas|identidad|contrasena|datos|informacion|tarjeta|credenciales|buzon|metodo de pago|acceso|clave|perfil)\b(?! de (?:entrega|envio|contacto))/,
  secret_on_page:
    /(?:introdu(?:zca|cir|ce)|ingres(?:e|ar|a)|proporcion(?:e|ar|a)|facilit(?:e|ar|a)) (?:su|sus|tu|tus|el|la) (?!nueva)(?:[a-z-]{1,30} ){0,3}(?:contrasena|clave|pin|numero de tarjeta|datos de (?:su |tu |la )?tarjeta|datos bancarios|cvv|credenciales|codigo de seguridad)/,
  secret_by_mail:
    /(?:envi(?:e|ar|a)(?:nos|me)?|responda con|mand(?:e|ar|a)(?:nos|me)?) (?:su|sus|tu|tus) (?:[a-z-]{1,30} ){0,3}(?:contrasena|clave|pin|numero de tarjeta|cvv|credenciales)/,
  account_threat:
    /(?:cuenta|tarjeta|acceso|buzon|perfil|suscripcion|correo)[^.!?]{0,30}(?:ha sido|sera|esta|fue|va a ser|ser|quedara|ha quedado) (?:temporalmente |definitivamente |permanentemente )?(?:suspendid[oa]|bloquead[oa]|limitad[oa]|desactivad[oa]|cerrad[oa]|restringid[oa]|eliminad[oa]|cancelad[oa]|inhabilitad[oa])|(?:actividad|acceso|inicio de sesion|transaccion|movimiento) (?:inusual|sospechos[oa]|no autorizad[oa]|no reconocid[oa]|fraudulent[oa])|(?:evitar|prevenir) (?:la suspension|el bloqueo|el cierre|la cancelacion|la desactivacion)|(?:buzon|almacenamiento)[^.!?]{0,30}(?:lleno|llena)|contrasena (?:caduca|expira|va a caducar|vence|esta a punto)/,
  payment_problem:
    /(?:pago|cobro)[^.!?]{0,40}(?:rechazado|fallido|no se ha podido|no pudo|no pudimos|declinado)[^!?]{0,120}(?:actuali(?:ce|zar|za)|metodo de pago|datos|informacion)/,
  urgency:
    /(?:dentro de|en las proximas|antes de|en menos de|en un plazo de) (?:las proximas )?(?:24|48|72|12|6|2) ?(?:horas|h\b)|inmediatamente|de inmediato|\burgente|ultimo (?:aviso|recordatorio)|ultima (?:oportunidad|advertencia)|actue (?:ahora|ya)|a la mayor brevedad|cuanto antes/,
  reward_lure:
    /(?:ha|has|usted ha) (?:sido )?(?:ganado|seleccionad[oa]|resultado ganador|elegid[oa])|(?:reclam(?:e|ar|a)|obten(?:ga|er)|solicit(?:e|ar|a)|cobr(?:e|ar)) (?:su|tu) (?:[a-z-]{1,30} ){0,2}(?:premio|regalo|reembolso|recompensa|bono|devolucion)|(?:derecho|elegible)[^.!?]{0,40}(?:reembolso|devolucion)|(?:reembolso|devolucion) (?:de impuestos |fiscal |a su favor )?(?:de|por (?:un )?(?:importe|valor) de) \d/,
  parcel_fee:
    /(?:paquete|envio|pedido|entrega)[^!?]{0,120}(?:gastos de (?:envio|aduana|gestion)|tasas? de (?:aduana|entrega|envio)|tarifa de (?:aduana|entrega|envio)|derechos de aduana|costos? de envio|aranceles)|(?:paquete|envio)[^.!?]{0,60}(?:retenido|no se ha podido entregar|no pudo ser entregado|pendiente|detenido)[^!?]{0,120}(?:confirm(?:e|ar|a)|pag(?:ue|ar|a)|abon(?:e|ar)|tasa)/,
  advance_fee: [
    /(?:herencia|heredero|beneficiari[oa]|difunto|fallecid[oa]|pariente mas cercano|legado|donacion|donar)/,
    /millon(?:es)? (?:de )?(?:dolares|euros|usd|eur)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [
    /(?:loteria|sorteo|rifa)[^!?]{0,200}(?:ganado|ganador|premiad|afortunad)|(?:ganado|ganador)[^!?]{0,120}(?:loteria|sorteo)/,
    /(?:contact|reclam|millon|numero ganador|agente|premio de)/,
  ],
  extortion: [
    /(?:hackead|pirate|grabad|grabe|infectad|acceso completo|acceso total|troyano|malware|virus)[^!?]{0,200}\b(?:tu|tus|su|sus|te|usted)\b/,
    /bitcoin|\bbtc\b|monero|criptomoneda/,
    /(?:contactos|amigos|familia|publicar|difundir|enviare|publicare|companeros)/,
  ],
  gift_cards: [
    /(?:compr|consig|necesit|adquir)[^.!?]{0,60}(?:tarjetas? (?:de )?regalo|tarjetas? (?:google play|steam|itunes|amazon))/,
    /(?:codigos?|foto|envi|rasp|reverso)/,
  ],
  changed_bank_details:
    /(?:nuevos|nueva|nuevo|cambio de|cambio en|actualizacion de|modificacion de) (?:nuestros |nuestra |los |mis |la )?(?:datos bancarios|cuenta bancaria|iban\b|numero de cuenta|informacion bancaria)|(?:datos bancarios|cuenta bancaria)[^.!?]{0,30}(?:han cambiado|ha cambiado|han sido modificad|ha sido modificad)/,
  secrecy:
    /(?:estrictamente|absolutamente|totalmente|maxima) confidencial|no (?:lo |se lo )?(?:comente|comentes|hable|hables|digas|diga)[^.!?]{0,30}(?:nadie|con nadie)|(?:estoy en (?:una )?reunion|no puedo hablar)[^.!?]{0,60}(?:correo|llam|telefono)/,
  money_in_haste: [
    /(?:transferencia|pago|pagar|transferir)/,
    /\burgente|inmediatamente|de inmediato|hoy mismo|cuanto antes/,
  ],
  guaranteed_profit:
    /(?:ganancias?|rendimientos?|beneficios?|rentabilidad|ingresos?) (?:[a-z]{1,20} )?(?:garantizad[oa]s?|sin riesgos?)|(?:duplique|duplica|multiplica|multiplique) (?:su|tu|sus|tus)|\d{1,4} ?% (?:diario|diarios|al dia|por dia|semanal)|(?:invierte|invierta|inversion|trading|bitcoin)[^.!?]{0,60}(?:sin riesgo|libertad financiera|hacerte rico)/,
  job_scam:
    /gan(?:a|e|ar)[^.!?]{0,40}(?:al dia|por dia|diarios|por hora|por semana|a la semana)[^!?]{0,160}(?:whatsapp|telegram|desde casa|sin experiencia)|(?:sin experiencia|desde casa)[^!?]{0,160}gan(?:a|e|ar)[^.!?]{0,60}(?:al dia|por dia|diarios|por hora|por semana|a la semana)/,
  qr_code: /escane(?:e|ar|a) (?:el|este|con)[^.!?]{0,30}(?:codigo qr|qr)/,
}
