/** Unwanted mail in Spanish. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('es')

export const spanish: Template[] = [
  phishing('banco', {
    from: 'brand {<brand>|<brand> {Alertas|Seguridad}}',
    brands: ['BBVA', 'Santander', 'CaixaBank', 'Bankinter', 'Banco Almenar', 'ING'],
    subject:
      '{{Aviso|Alerta} de seguridad|Su {cuenta|tarjeta} ha sido {bloqueada|suspendida}|{Nuevo|Acceso desde un} dispositivo{ no reconocido|}|<brand>: {acción requerida|verifique sus datos}|{Cargo|Bizum} de <amount> {pendiente|en curso}}',
    body: `
      {Estimado{/a|} cliente|Hola{ <to>|}|Apreciado cliente}{:|,}
      {{Hemos detectado|Se ha detectado} {un acceso no autorizado|actividad inusual} {a|en} su cuenta{ el <date>|}. {Por {seguridad|su protección}, hemos {limitado|suspendido} {el acceso|su tarjeta}{ temporalmente|}.|}|A partir del <soon> no podrá utilizar su {tarjeta|cuenta}: {debe|tiene que} activar el nuevo sistema de seguridad web.|Se {ha autorizado|está procesando} un {cargo|pago} de <amount> en <client>. Si no lo reconoce, {cancélelo|anúlelo} {de inmediato|desde el enlace}.}
      ~ {{Verifique|Confirme} {su identidad|sus datos} {en {las próximas |}<n 24-72> horas|lo antes posible} {para {evitar el bloqueo|recuperar el acceso}|}.}
      ~ ? {De lo contrario, su cuenta {será {cancelada|bloqueada}|quedará inhabilitada}.|El proceso {dura|solo le llevará} unos minutos.}
      @ {{Verificar|Activar} {ahora|mi cuenta}|Acceder a {banca online|mi cuenta}|Cancelar {cargo|pago}|Confirmar datos}
      {Atentamente|Gracias por su confianza|Un saludo},<br>{Departamento de seguridad|<brand>}
      ? % {Este es un mensaje automático, por favor no responda.|© <year> <brand>}
    `,
  }),
  phishing('paquete', {
    from: 'brand {<brand>|<brand> {Envíos|Aduanas}}',
    brands: ['Correos', 'SEUR', 'DHL', 'MRW', 'Estafeta', 'Enviamar'],
    subject:
      '{Su {paquete|envío} {está {retenido|en espera}|no pudo ser entregado}|{Envío|Paquete} <code>: {pago|tasas} pendiente{s|}|{Último aviso|Notificación} de entrega|Tasa de aduana: <fee>}',
    body: `
      {Hola|Estimado cliente|Buenos días}{,|:}
      {Su {paquete|envío} {<code> |}{no {pudo|ha podido} ser entregado {el <date> |hoy |}{porque {no se han pagado las tasas de aduana|la dirección es incorrecta|no había nadie en casa}|}|{está|se encuentra} retenido en {la aduana|nuestro centro de distribución}}.|Tiene un paquete pendiente de entrega: {falta|queda por abonar} <fee> {de gastos de envío|de aduanas}.}
      * Número de seguimiento: <code>
      ? * Importe: <fee>
      {{Para recibirlo|Para programar la entrega}, {confirme {el pago|su dirección}|abone {<fee>|la tasa}}{ en un plazo de <n 24-72> horas|}.|{Si no {paga|responde}|De no hacerlo}, {será|el paquete será} devuelto al remitente.}
      @ {{Pagar|Confirmar} {y recibir|el envío|ahora}|Seguir mi {paquete|envío}|Actualizar dirección|Programar entrega}
      ? {Gracias por confiar en <brand>.|Servicio al cliente}
    `,
  }),
  phishing('hacienda', {
    from: 'odd {<brand>|<brand> {Notificaciones|Avisos}}',
    brands: ['Agencia Tributaria', 'DGT', 'Seguridad Social', 'SAT', 'Dirección Electrónica Habilitada'],
    subject:
      '{{Reembolso|Devolución} de impuestos{: <amount>| pendiente|}|{Multa|Sanción} {de tráfico |}{no pagada|pendiente}{ <ref>|}|{Aviso de |}notificación {electrónica|administrativa} {<ref>|disponible}|{Actualice|Renovación de} su tarjeta sanitaria}',
    body: `
      {Estimado {contribuyente|ciudadano}|Sr./Sra. <tolast>}{:|,}
      {{Tras|Después de} {los últimos cálculos|revisar su declaración} de la actividad fiscal, {hemos determinado|le informamos de} que tiene derecho a {recibir |}un reembolso de <amount>.|{Se ha identificado|Existe} {en nuestro sistema |}una multa de tráfico no pagada {dirigida a usted o a su vehículo|de <price>}{. La multa debe pagarse en 48 horas, de lo contrario se cobrará un recargo|}.|{Ha recibido|Tiene disponible} una {nueva |}notificación {administrativa|electrónica} {con {número|referencia} <ref>|}.}
      {{Envíe|Complete} la solicitud {de {reembolso|devolución} |}{y permita que la procesemos|antes del <soon>}|Acceda con sus datos {y {tarjeta|cuenta} bancaria|}{ para {cobrar|consultarla}|}}.
      @ {{Acceder|Ir} {a la notificación|al formulario|a la sede electrónica}|Solicitar {reembolso|devolución}|Pagar multa|Ver documento}
      {Atentamente|Reciba un cordial saludo},<br><brand>
    `,
  }),
  phishing('correo', {
    from: 'own {Administrador|Soporte {TI|técnico|de correo}|Webmail <domain>}',
    subject:
      '{Su buzón {está {casi |}lleno|será {desactivado|cerrado}}|Su contraseña {caduca|expira} {hoy|mañana}|<n 2-9> {mensajes|correos} {pendientes|retenidos}|{Actualización|Mantenimiento} del correo}',
    body: `
      {Estimado usuario|Hola <local>|Atención <user>}{:|,}
      {Su {buzón|cuenta de correo} ha {superado|alcanzado} {el límite de almacenamiento|el <n 95-99> % de su capacidad}{ y {no podrá|es posible que no pueda} {enviar ni recibir|recibir} {correos|mensajes}|}.|La contraseña de <user> {caduca|vencerá} {hoy|el <soon>}.|Hay <n 2-9> mensajes {entrantes |}{retenidos|sin entregar} {por un error del servidor|en su cuenta}.|Estamos {actualizando|migrando} {todas las cuentas|el sistema de correo}{ para mejorar la seguridad|}.}
      {Haga clic {abajo|aquí}|Inicie sesión|Por favor, valide su cuenta} {para {ampliar {el espacio|su cuota}|mantener la {misma |}contraseña|{liberar|recuperar} los mensajes|seguir usando el correo}|en las próximas 24 horas}.
      @ {Ampliar {cuota|espacio}|{Mantener|Conservar} contraseña|Liberar {mensajes|correos}|Validar {cuenta|ahora}|Haga clic aquí}
      ? {Si {ignora este mensaje|no lo hace}, su cuenta será {eliminada|suspendida}.|Disculpe las molestias.}
      {Soporte {técnico|TI}|El administrador{ de <domain>|}|Mesa de ayuda}
    `,
  }),
  phishing('factura-adjunta', {
    from: 'firm {<name>|<company>|Facturación <company>}',
    looks: ['plain', 'letter'],
    attach: '{Factura_<n 1000-9999>.html|Comprobante.pdf.html|Pedido-<n 100-999>.zip|Transferencia.htm}',
    subject:
      '{Factura <ref>{ {vencida|pendiente}|}|{Comprobante|Justificante} de {pago|transferencia}|{RE|RV}: {pedido|cotización|pago} <ref>|{Netflix|Suscripción}: problema con {el|su} pago}',
    body: `
      {Buenos días|Buenas tardes|Estimados señores|Hola},
      {{Adjunto|Le adjunto} {la factura <ref>|el comprobante de {pago|la transferencia} {realizada {hoy|ayer}|por <amount>}|nuestro pedido}.|{Según lo {hablado|acordado}|Como quedamos}, {envío|le remito} {el documento|la factura}{ para su revisión|}.|No hemos podido {cobrar|procesar} {su última cuota|el pago de su suscripción}: {actualice {su tarjeta|el método de pago}|} {antes del <soon>|para no perder el acceso}.}
      ? {Para abrirlo, {introduzca|use} {su correo y contraseña|la clave de su e-mail}.|Clave del archivo: <code>.}
      @ {{Ver|Descargar|Abrir} {factura|documento|comprobante}|Actualizar pago}
      ? {Quedo a la espera de su {confirmación|respuesta}.|Por favor confirme la recepción.}
      {Saludos{ cordiales|}|Atentamente},<br><name>{<br>{Administración|Contabilidad}|}
    `,
  }),
  scam('herencia', {
    from: 'free {{Sra.|Sr.|Abogado} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Donación|Herencia}{ de <million>|}|{Estimado|Querido} {amigo|beneficiario}|{Propuesta|Asunto} {confidencial|urgente|de negocios}|{Felicidades|Ha ganado}: <million>|Préstamo {rápido|al 3 %}}',
    body: `
      {Hola{ querido|}|Estimado amigo|Saludos{ en el Señor|}}{,|:}
      {{Soy|Mi nombre es} {la Sra.|el abogado|} <name>, {{viuda, |}{enferma|padezco} de cáncer {terminal|y me queda poco tiempo}. {He decidido|Deseo} donar <million> {a|para} {una persona de confianza|obras de caridad} {a través de usted|}|{representante|abogado} de un cliente {fallecido {en un accidente|}|que lleva su apellido} y que dejó <million> {en un banco|sin herederos}|{auditor|empleado} de {un banco|<bank>}, donde hay una cuenta {inactiva|abandonada} con <million>}.|Su correo {ha sido seleccionado|resultó ganador} en {la lotería|el sorteo} {internacional|de <company>}: {ha ganado |}<million>.|{Ofrecemos|Otorgamos} préstamos {entre particulares |}desde 5.000 hasta <million> al {2|3} % de interés, {sin aval|en 48 horas}.}
      ? {{Usted recibirá|Le daré} el {30|40} % {de la suma|por su ayuda}.|{Es|La operación es} {legal y |}sin {ningún |}riesgo.|Que Dios le bendiga.}
      {{Responda|Escríbame|Póngase en contacto} {a|al correo|en}{:|} <mail>{ con su nombre, {dirección|país} y teléfono|}|Espero su {pronta |}respuesta{ a|:} <mail>}.
      {Atentamente|Saludos|Dios le bendiga},<br><name>
    `,
  }),
  scam('extorsion-jefe', {
    from: 'free {<toname>|<name>|Director {General|<last>}}',
    looks: ['plain'],
    replyTo: 'free',
    subject:
      '{{Urgente|Solicitud|Pendiente}|{Hola|Buenos días}{ <to>|}|{Pago|Transferencia} {pendiente|urgente}|Cambio de {cuenta|datos bancarios}|{Su dispositivo|Tengo acceso a su cuenta} {fue hackeado|}|¿{Está|Estás} disponible?}',
    body: `
      {Hola|Buenos días|¡Saludos!}{ <to>|}{,|}
      {{¿Estás|¿Está} {disponible|en la oficina}? {Necesito {que {hagas|gestiones} {un pago|una transferencia} de <sum>|un favor}{ hoy|}|}. {Estoy en una reunión{, contesta por correo|}.|}|{Necesito|Compra} <n 3-9> tarjetas {de regalo |}{Apple|Google Play|Amazon} de 100 € {para los clientes|hoy} y {mándame|envíame} {fotos de |}los códigos.|{Le informamos|Les comunicamos} que hemos cambiado de banco. {Rogamos|Por favor} {realicen los {próximos |}pagos|abonen la factura <ref>} {a|en} la nueva cuenta{ adjunta|}.|{Tengo|He obtenido} acceso a {sus dispositivos|su cámara} y {le he grabado|un vídeo suyo} {mientras {veía|visitaba} sitios para adultos|}. {Transfiera|Pague} <round> en bitcoin a <wallet> {en 48 horas |}o {lo enviaré|se lo mando} a todos sus contactos.}
      ? {{Es|Manténgalo} confidencial.|Avísame {cuando lo tengas|en cuanto puedas}.|No llame a la policía.}
      ? {Gracias|Saludos}{,|}<br><first>
    `,
  }),
  spam('premio-casino', {
    from: 'odd {<brand>|{Premios|Ofertas} {Hoy|Online}|<name>}',
    brands: ['Mercadona', 'Lidl', 'El Corte Inglés', 'MediaMarkt', 'Casino Sol Dorado'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{{¡Felicidades|¡Enhorabuena}{, <local>|}!|{Ha sido|Has sido} {seleccionado|elegido}|{Tu|Su} {premio|regalo|tarjeta regalo} {te espera|de <round>}|<n 50-200> tiradas gratis|{Baja|Pierde} <n 5-20> kilos|{^Viagra^|Pastillas} sin receta}',
    body: `
      # {¡Enhorabuena!|Oferta {exclusiva|de hoy}|¡Has ganado!}
      {{Responde|Conteste} {a |}{una {breve |}encuesta|<n 3-9> preguntas} y {recibe|gane} {un iPhone|una {freidora de aire|Thermomix}|una tarjeta {<brand> |}de <round>}.|{Regístrate|Juega} {hoy|ahora} y {consigue|llévate} {hasta <round>|un <n 100-300> % extra} {y <n 20-200> tiradas gratis|sin depósito}.|{Pierde|Quema} {<n 5-20> kilos|la grasa} {sin dieta|en <n 2-6> semanas} con {este truco|estas cápsulas naturales}.|^Viagra^ y ^Cialis^ desde <n 1-3> €, {envío discreto|sin receta}.}
      ? {¡Solo quedan <n 2-19>!|{Válido|Solo} {hoy|hasta el <soon>}.}
      @ {{Participar|Jugar|Empezar} {ahora|ya}|{Reclamar|Recoger} {premio|regalo}|Ver oferta|Comprar}
      % <a Darse de baja>
    `,
  }),
  spam('seo-proveedor', {
    from: 'free {<name>|<name> - Marketing}',
    looks: ['plain'],
    many: true,
    subject:
      '{{Posicionamiento|Visitas} {web|para <domain>}|Base de datos de {empresas|correos}|{Diseño|Rediseño} {de su |}web {desde <price>|}|{Curso|Diplomado} {con certificado|<year>}|{Trabajo|Gana <round>} desde casa}',
    body: `
      {Hola|Buen día|Estimado {empresario|responsable}}{,|:}
      {{Visité|He visto} {su página|<domain>} y {podemos|creo que podemos} {ponerla|posicionarla} en {la primera página|los primeros lugares} de Google{ en <n 30-90> días|}.|{Vendemos|Ofrecemos} bases de datos {actualizadas |}{con|de} <n 1-9> millones de {correos|empresas}{, {por {sector|país}|ideal para sus campañas}|} {desde|a} <price>.|{Diseñamos|Hacemos} {páginas web|tiendas online|apps} {profesionales |}desde <price>{, {hosting|dominio} incluido|}.|{Gana|Gane} {hasta |}<round> {al mes|por semana} {desde casa|con su móvil}, {sin experiencia|<n 1-3> horas al día}.|{Últimos lugares|Inscripciones abiertas}: {seminario|curso} de {ventas|impuestos|Excel|liderazgo}, {con constancia|<n 20-50> % de descuento}.}
      ? {¿Le {envío|mando} {más información|una propuesta|precios}?|{Promoción|Oferta} válida {esta semana|hasta el <soon>}.}
      {Responda {"SÍ"|este correo}|WhatsApp: <chat>|Más información: <link>}
      {Saludos|Cordialmente},<br><name>
      ? % Para no recibir más correos responda "{BAJA|REMOVER}".
    `,
  }),
]
