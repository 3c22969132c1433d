/** Suspicious phrases in Spanish. */
import { intentsOf } from './intents.js'
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
  ...intentsOf({
    machine: /\b(?:asistentes?|agentes?|ia|bot|bots|modelo|sistema automatico|inteligencia artificial)\b/,
    owner: /\b(?:titular|dueno|propietario)\b/,
    ignore: /\b(?:ignor(?:a|e|en|ar)|olvid(?:a|e|en|ar)|descart(?:a|e|ar)|omit(?:e|a|ir)|salt(?:a|e)te)\b/,
    instructions: /(?:instrucciones|reglas|normas|ordenes|indicaciones|directrices|lo anterior|prompt)/,
    isVoid:
      /(?:instrucciones|reglas|normas|limites|restricciones|lo que se te (?:indico|dijo))[^.!?]{0,40}(?:sin efecto|no (?:se aplican|valen|rigen)|anulad[ao]s|suspendid[ao]s|han cambiado)|modo (?:mantenimiento|desarrollador|depuracion) (?:activ|esta)|nuevas instrucciones para (?:ti|el (?:agente|asistente))/,
    conceal:
      /sin (?:preguntar|confirmacion|confirmar|avisar|aprobacion|consultar|pasar por)|no (?:hace falta|es necesario|hay que)[^.!?]{0,30}(?:pasar|pasarlo|preguntar|confirm|aprob|avisar|consultar|contar)|no (?:le |se lo )?(?:preguntes|avises|menciones|incluyas|molestes|comentes|registres)|(?:titular|dueno|usuario|propietario|responsable|jefe)[^.!?]{0,30}(?:esta de acuerdo|ya ha dado|ya (?:lo )?(?:sabe|aprobo|autorizo)|no (?:hace falta|tiene que|debe))|(?:borr(?:a|e)|elimin(?:a|e)) (?:despues|luego)|borra este|(?:luego|despues) (?:borr(?:a|e)|elimin(?:a|e)|vaci(?:a|e))|y borra|no lo incluyas|el proceso esta autorizado/,
    give: /\b(?:envi(?:a|e|ar|alo|alos|anos|ame)|mand(?:a|e|ar|ame|anos)|reenvi(?:a|e|ar)|respond(?:e|a|as|er|eme)|peg(?:a|ue|ar)|pas(?:a|e|ar|arme|ame)|muestr(?:a|e)|comparte|comparta|copi(?:a|e|ar)|list(?:a|e|ar)|dime|diga(?:me)?|dices|facilit(?:a|e)\w{0,3}|busca|entreg(?:a|ue)|transfier(?:a|e)|compr(?:a|e))\b/,
    machineSecrets:
      /(?:claves? (?:de )?api|prompt (?:del sistema|inicial)|tus (?:instrucciones|reglas|claves)|instrucciones (?:iniciales|completas)|variables de entorno|tu (?:configuracion|token|prompt)|\.env\b|~\/\.ssh|clave que usas|la clave que|registro completo)/,
    allMail:
      /(?:todos? los (?:correos|mensajes|contactos)|todo (?:lo que (?:entre|entra|llegue)|el buzon)|(?:los )?(?:ultimos|\d{1,3}) (?:\S{1,8} )?(?:correos|mensajes)|los correos (?:con|sobre)|libreta de direcciones|lista de (?:clientes|contactos)|cada correo|la ficha de otros|de todo lo que)/,
    takeover:
      /como direccion de recuperacion|(?:pon|ponga|cambi(?:a|e)|anad(?:e|a)|actualiz(?:a|ce)|configur(?:a|e))[^.!?]{0,60}(?:direccion de recuperacion|correo de recuperacion|reenvio|administrador|el iban)|cambia el iban|(?:ejecut(?:e|a|ar))[^.!?]{0,30}(?:curl|comando|script)|(?:aprueb(?:a|e)|acept(?:a|e)|pag(?:a|ue))[^.!?]{0,50}(?:sin preguntar|invitacion adjunta|este pago|y (?:borra|no))|mi cuenta ya es de administrador|recomienda esta candidatura/,
    code: /\b(?:codigos?|cifras|digitos)\b|que numero pone/,
    isSent:
      /(?:(?:te ha llegado|ha llegado|te llega|llegara|lleguen|llegue|recib|he mandado|te mande|enviado|ha ido a tu movil)|por sms|al movil|caduca en)/,
    seed: /(?:(?:12|24|doce|veinticuatro) palabras|frase (?:semilla|de recuperacion|secreta))/,
    enter:
      /\b(?:introdu(?:ce|zca|cir)|ingres(?:a|e|ar)|escrib(?:e|a|ir)|pon|ponga|import(?:a|e)|verifi(?:ca|que)|su|tu)\b/,
    unprotect:
      /(?:desactiv|apag|quit)(?:a|e|ar)[^.!?]{0,30}(?:antivirus|defender|cortafuegos|proteccion)|ejecutar de todas formas|instalar de todas formas|habilitar (?:contenido|macros|edicion)|(?:antivirus|windows)[^.!?]{0,20}(?:avisa|protesta|bloquea)[^.!?]{0,40}(?:permit|ignor|ejecut|contin)|origenes desconocidos/,
    oldAccount:
      /(?:cuenta|iban) (?:de siempre|anterior|antigua|habitual)[^.!?]{0,50}(?:bloquead|cerrad|auditoria|no admite|ya no|congelad|revision|suspendid)|la anterior (?:ya no|esta)|la cuenta no (?:admite|es valida)|el pago debe hacerse esta vez/,
    noCall:
      /no (?:me |nos )?(?:llames|llame|llamen|telefonees)|no (?:cojo|cogemos|atiendo) (?:el |al )?telefono|sin telefono|telefono[^.!?]{0,30}(?:averiado|no funciona|no va)|(?:contest\w{1,5}|respond\w{1,3}|escrib\w{1,4})[^.!?]{0,12} (?:solo|unicamente|aqui|aca)|(?:solo|unicamente) (?:en|por|a) este correo|por aqui contesto|mejor por aqui|no (?:funciona|va) el micro\w{0,4}|no puedo hablar|prefiere que no se le llame|no hace falta (?:llamar|que llame)/,
    pay: /\b(?:pag(?:o|a|ar|ue|os|aria)|transferencia|transfier\w|transfir\w{2,4}|ingres(?:a|ad|ar|e|o)|abon(?:o|e|ar)|factura|dinero|importe|adelant\w{1,4}|bizum)\b/,
    wages: /\b(?:nomina|salario|sueldo)\b/,
    newAccount:
      /\b(?:nueva cuenta|la nueva|cuenta nueva|otra cuenta|cambi\w{1,4} de (?:banco|cuenta)|datos nuevos|nuevo iban|cierro mi cuenta)/,
    channel: /(?:por|al|en|a|via|de) (?:whatsapp|telegram|signal)|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /no (?:se lo |lo |le )?(?:cuentes|digas|comentes|hables|expliques|menciones|llames)|entre (?:tu y yo|nosotros)|no hace falta contarle|no por el portal|aqui no contesto|(?:banco|plataforma|portal|web)[^.!?]{0,30}(?:pone pegas|bloquea|lent|no (?:me deja|entiende))|confidencial|no cojo el telefono|contest\w{1,5} (?:solo|aqui)/,
    parent: /\b(?:mama|papa|abuela|abuelo|mami|papi)\b/,
    newPhone:
      /(?:nuevo (?:numero|movil|telefono)|numero nuevo|(?:movil|telefono)[^.!?]{0,20}(?:roto|caido|agua|perdido)|(?:roto|caido|perdido) el (?:movil|telefono)|cambiado de numero)/,
    deadline: /(?:\d{1,3} horas|plazo|antes de|o (?:vamos|pagas)|si no|de lo contrario|tienes hasta)/,
    orElse:
      /(?:public|difund|contactos|familia|companeros|amigos|vecinos|vamos a tu casa|malas resenas|ataque|policia|tu (?:mujer|marido|jefe)|borro)/,
    task: /(?:dar|das|da|darle|puntu\w{1,3}|valor\w{1,3}|hacer|clic)[^.!?]{0,30}(?:me gusta|likes?|hoteles|videos|resenas|productos|clics?)/,
    perDay: /(?:al|por|cada) (?:dia|tarea|hora|semana|noche|clic)|diarios?|comision/,
    topUp: /(?:recarg|deposit|siguiente nivel|subir de nivel|abonar|adelant|alta\b|desbloque)/,
    courier: /\b(?:mensajero|repartidor|transportista|courier|conductor|seur|correos)\b/,
    collects: /(?:recog|pasa|viene|retir|llev|trae)/,
    card: /(?:tarjeta|banco|iban|cuenta|recibir (?:el dinero|el pago)|codigo)/,
    unseen:
      /llaves[^.!?]{0,60}(?:mensajero|correo|agencia|envi|llegan)|(?:extranjero|otro pais|fuera del pais)[^.!?]{0,100}(?:ensenar|visit|mostrar|llaves)|sin (?:verlo|visita)|antes de (?:la visita|verlo)|no puedo (?:ensenar|mostrar)/,
    home: /(?:\bpiso\b|apartamento|alquiler|habitacion|vivienda|casa\b)/,
    deposit: /(?:fianza|reserva|deposito|senal|ingresa|transferencia|mensualidad)/,
    toll: /\b(?:peajes?|multa|sancion|tvm|estacionamiento)\b/,
    isOpen: /(?:pendiente|sin abonar|impag|recargo|regularic|abon[ea]|pague|vencid)/,
    safeAccount:
      /a (?:una|la|nuestra|su) cuenta (?:segura|de seguridad|protegida|de custodia)|poner (?:su|tu)[^.!?]{0,20}(?:dinero|saldo|ahorros) a salvo/,
    notYou: /(?:cargo|cobr|renov|suscripcion|si no (?:lo )?reconoce|si no ha sido|cancelar|anular|compra|reembolso)/,
    call: /\b(?:llam(?:a|e|ar|enos)|telefono|marque|contacte)\b/,
    donation: /(?:donaci|donar|dona\b|donativo|damnificad|huerfan|terremoto|inundaci|refugiad|colecta)/,
    giftCards: /(?:tarjetas? (?:de )?regalo|tarjetas? (?:prepago|apple|steam|google play|amazon)|paysafe)/,
    threat:
      /(?:te|os) (?:vas|vais) a arrepentir|te arrepentiras|se donde vives|sabemos donde vives|mira (?:bien )?detras|nadie te echaria de menos|si no eres mi[oa]|te voy a (?:matar|hacer dano|encontrar|destrozar)|eres (?:basura|escoria|un (?:inutil|desgraciado)|una (?:inutil|basura))|vas a pagar por esto|vamos a tu casa/,
  }),
}
