/** Wanted mail in Spanish. */
import { mails } from './mails.js'

export const spanish = mails(`
### order/es/confirmed html
From: {company} <[pedidos|tienda|hola]@{host}>
Subject: [Pedido {order} confirmado|¡Gracias por tu compra, {you}!|Hemos recibido tu pedido {order}]

¡Hola, {you}!

[Gracias por tu pedido. Ya estamos preparando {product}.|Hemos recibido tu pedido y te avisaremos en cuanto salga del almacén.]

| Pedido | {order}
| Envío | [gratis|{amount:3-7}]
| Total | {amount:20-250}

? [Tienes {14-30} días para devolverlo sin coste.|Si necesitas cambiar la dirección, responde a este correo hoy mismo.]

=> [Ver mi pedido|Seguir el pedido] -> https://{host}/cuenta/pedidos/{token}

~ {legal}

### order/es/parcel html
From: {company} <[envios|avisos]@{host}>
Org: Mensajería Zorzal @ mensajeriazorzal.es;Paquetería Colibrí @ paqueteriacolibri.example;Punto Esquina @ puntoesquina.example
Subject: [=Envío {tracking} en reparto|Tu paquete está listo para recoger|Entregado: envío {tracking}|Aduana pagada: envío {tracking}]

Hola:

[=Tu paquete de {otherCompany} está en reparto y llegará hoy entre las {9-12} y las {14-19}.|Tu paquete te espera en {street} {2-90} hasta el {dateSoon}. Código de recogida: {pin}.|Hemos entregado tu paquete a las {time}. Lo recibió: {ann}.|El despacho de aduanas está pagado ({amount:5-40}) y el envío sale mañana hacia tu domicilio.]

=> [Seguir el envío|Cambiar la entrega|Ver punto de recogida] -> https://{host}/seguimiento/{tracking}

? [No tienes que pagar nada al repartidor.|Lleva un documento de identidad.]

~ {legal}

### billing/es/invoice html mixed
From: {company} <[facturas|facturacion|cobros]@{host}>
Subject: [=Factura {invoice}|Tu factura de {month}|No hemos podido cobrar tu cuota|Recordatorio de pago: factura {invoice}]
Attach: Factura-{invoice}.pdf

{dear}

[=Adjuntamos la factura {invoice} por importe de {amount:20-900}.|Ya está disponible tu factura de {month}. El cargo se hará el {dateSoon} en la cuenta habitual.|Tu banco ha rechazado el cobro de {amount:9-60}. Lo intentaremos de nuevo el {dateSoon}; mientras tanto el servicio sigue activo.|Según nuestros registros, la factura adjunta, vencida el {dayBefore}, sigue pendiente.]

[Si ya la ha abonado, le rogamos que no tenga en cuenta este aviso.|Puedes actualizar la tarjeta en <<tu cuenta -> https://{host}/cuenta/pagos>>.] [Dudas: {dial}.|]

{bye}
{company}

### account/es/security own html mixed
From: {company} <[seguridad|no-responder|cuentas]@{host}>
Subject: [=Restablece tu contraseña|{code} es tu código de acceso|Nuevo inicio de sesión|Confirma tu correo]

Hola, {you}:

[=Has pedido cambiar la contraseña. El enlace caduca en {1-24} horas: <<cambiar contraseña -> https://{host}/clave/{token}>>|Tu código es {code}. Caduca en {5-15} minutos. No lo compartas con nadie, ni siquiera con nosotros.|Alguien ha entrado en tu cuenta desde [un iPhone|Chrome en Windows|un dispositivo Android] en {city}, el {date} a las {time}.|¡Te damos la bienvenida! Solo falta confirmar tu dirección: <<confirmar -> https://{host}/confirmar/{token}>>]

[Si no has sido tú, puedes ignorar este mensaje.|Si fuiste tú, no hace falta que hagas nada. Si no, cambia la contraseña desde Ajustes.]

[El equipo de {company}|Gracias por confiar en {company}]

### bank/es/notice own
From: {company} <[avisos|buzon]@{host}>
Org: Caja Robledal @ cajarobledal.example;Seguros Monteclaro @ segurosmonteclaro.example;Banco Encinar @ bancoencinar.example
Subject: [Tu extracto de {month} ya está disponible|Nuevo documento en tu buzón|Renovación de tu póliza|Cambio en las condiciones]

{dear}

[Ya puede consultar su extracto de {month} en la banca en línea.|Su póliza de hogar se renueva el {dateLater}; la prima será de {amount:90-500}.|A partir del {dateLater} cambian las comisiones de su cuenta. Encontrará el detalle en su buzón.] [Acceda como siempre desde la app.|Por seguridad, este correo no lleva enlaces.]

[Nunca le pediremos sus claves por correo ni por teléfono.|Si tiene dudas, llame al {dial} o pase por su oficina.]

{bye}
{company}

### appointment/es/reminder
From: {company} <[citas|recepcion|reservas]@{host}>
Org: Clínica Dental Acacia @ dentalacacia.example;Fisio Ribera @ fisioribera.example;Peluquería Rizo @ peluqueriarizo.es;Hostal La Higuera @ hostallahiguera.example
Subject: [Recordatorio de cita: {dateSoon}|Tu cita del {weekday} a las {time}|Reserva confirmada {booking}]

Hola, {you}:

[te recordamos tu cita del {dateSoon} a las {time}.|tu reserva para {2-6} personas el {dateSoon} está confirmada.|te esperamos el {weekday} a las {time}.] [Trae, por favor, la tarjeta sanitaria y la lista de medicamentos.|La entrada es a partir de las {14-16}:00.|]

[Si no puedes venir, avísanos con un día de antelación: {dial}.|Para cambiarla o cancelarla: https://{host}/cita/{token}]

{company}

### support/es/exchange client
From: {me} ({company}) <[soporte|ayuda|atencion]@{host}>
Subject: Re: [pedido {order}|no puedo exportar|devolución|reclamación {ticket}]

{dear}

[gracias por tu paciencia.|gracias por escribirnos y perdona las molestias.|tienes toda la razón, deberíamos haber contestado antes.] [El fallo se debe a una fecha vacía en la fila {20-900}; ya está corregido en la versión {version}.|Te hemos devuelto {amount:12-90}; lo verás en unos {3-7} días.|Mañana sale el recambio, no hace falta que devuelvas el otro.]

? [¿Puedes probar y decirme si ahora funciona?|Si necesitas algo más, aquí estoy.]

{bye}
{meFull}

### support/es/complaint casual
Subject: [Reclamación pedido {order}|Nadie contesta|Me han cobrado dos veces|Baja del servicio]

[Buenos días:|Hola,|A quien corresponda:]

[llevo {2-7} semanas esperando {product} y nadie me da una respuesta.|me han cobrado {amount:20-90} dos veces este mes.|quiero darme de baja y la página da error todo el rato.|el repartidor dice que no había nadie en casa. MENTIRA, estuve todo el día.] [Exijo que me devuelvan el dinero antes del {dateSoon}.|Espero una solución hoy mismo.|Si no, pondré una reclamación en consumo.]

{meFull}

### work/es/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Reunión del {weekday}|¿Nos vemos la semana que viene?]|Cambio de hora|Acta de la reunión|Informe semanal]
To: 1-6

{hi}

[=¿te viene bien el {weekday} a las {time} para repasar lo de {otherCompany}?|lo siento, tengo que mover la reunión al {dateSoon} a las {time}.|os paso el acta de ayer; corregid lo que haga falta.|resumen de la semana: {100-900} pedidos, {3-40} incidencias y una buena noticia.]

? - [{ann} llama al proveedor antes del {weekday}|queda pendiente el presupuesto, {amount:2000-9000}]
- [{bob} prepara la demo|siguiente reunión: {dateSoon}]

{bye}
{me}

### work/es/quote client
From: {meFull} <{meLocal}@{host}>
Subject: [=Presupuesto {invoice}|Orden de compra {num:10000-99999}|Borrador del contrato|Candidatura: {job}|Entrevista para el puesto de {job}]
Attach: [=Presupuesto-{invoice}.pdf|OC-{num:10000-99999}.pdf|Contrato_v{2-5}.docx|CV-{meFamily}.pdf|]

{dear}

[=según lo hablado, le envío el presupuesto por {amount:900-9000} más IVA, válido hasta el {dateLater}.|adjuntamos la orden de compra; por favor, confirme la fecha de entrega.|le paso el borrador con nuestros comentarios a la cláusula {3-12}.|le escribo para presentar mi candidatura. Llevo {3-12} años en {otherCompany} y puedo incorporarme el {dateLater}.|nos ha gustado su perfil y querríamos conocerle el {dateSoon} a las {time}.]

[Quedo a la espera de sus noticias.|Cualquier duda, me puede llamar al {dial}.]

{bye}
{meFull}
{job}

### agent/es/request
From: Asistente de {meFull} <{meLocal}@{host}>
Org: Correo Nueve @ agentes.correonueve.example;Deskmate @ deskmate.app;Recados @ recados.example
Subject: [Consulta en nombre de {meFull}|¿Tienen {product}?|Solicitud de acceso a mis datos (RGPD)|Cancelación de la suscripción {10000-99999}|Resumen del hilo con {otherCompany}]

Hola:

[soy el asistente virtual de {meFull} y escribo de su parte.|les escribo en nombre de {meFull}.]

% [¿Está disponible y cuánto costaría con envío a {city}?|¿Tendrían un hueco el {dateSoon} hacia las {time}?]

% ? [Rogamos cancelen la suscripción en la próxima fecha posible y nos lo confirmen por escrito.|Según el artículo 15 del RGPD, solicitamos copia de los datos que conservan.]

[Basta una respuesta breve.|{me} decidirá antes del {weekday}.|No hace falta llamar.]

En nombre de {meFull}

### private/es/family casual client
Subject: [el domingo|cumple de mamá|fotos|la casa de la playa|¿qué tal?|lo que te debo]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[gracias por el finde, los niños no paran de hablar del barco.|hace mil que no sé de vosotros, ¿todo bien?|¿qué le regalamos a mamá? Yo había pensado {amount:15-40} cada uno.] [{bob} por fin ha encontrado trabajo, empieza el {dateSoon}.|A papá le han cambiado las pastillas: una por la mañana y media por la noche.|Nos tocó el reintegro en la lotería, así que invito yo.|Te hago la transferencia de los {amount:10-80} mañana, perdona el retraso.]

? [¿Venís a comer el domingo?|Llámame después de las {time}.]

{cheers}
{me}

### private/es/short casual
Subject: Re: [esta noche|{weekday}|llaves|mañana|partido]

[vale|ok|perfecto|sí|genial|de acuerdo|venga|hecho|claro que sí][, gracias|!|] [nos vemos a las {time}|llego {5-25} min tarde|hasta el {weekday}|luego te llamo|díselo a {ann}|las llaves las tiene {bob}|un beso|te quiero|ya te cuento]

### news/es/shop html bulk
From: {company} <[hola|novedades|boletin]@{host}>
Subject: [{10-40} % de descuento hasta el domingo|Novedades de {month}|Últimas horas de rebajas|{you}, tenemos algo para ti|Te invitamos el {dateLater}]

# [¡Empiezan las rebajas!|Lo nuevo de {month}|Solo este fin de semana]

[Hasta el {dateSoon}, {10-40} % en toda la tienda con el código GRACIAS{5-30}.|Ya está aquí la nueva temporada.|El {dateLater} a las {time} abrimos el taller a nuestros clientes.] [Envío gratis a partir de {amount:25-60}.|Plazas limitadas.|]

=> [Ver ofertas|Descubrir|Me apunto] -> https://{host}/[ofertas|novedades|evento]

~ {unsubscribe}
~ {legal}

### news/es/community bulk
From: {company} <[info|secretaria|boletin]@{host}>
Org: AMPA Colegio Encina @ ampaencina.example;Club Remo Miraflor @ clubremo.example;Fundación Manos Abiertas @ manosabiertas.example;El Boletín Lento @ boletinlento.example
Subject: [Boletín n.º {20-300}|Asamblea el {dateLater}|Avisos de la semana|Gracias por tu ayuda]
To: 15-200

[Queridas familias:|Estimados socios:|Hola a todos:]

[la asamblea será el {dateLater} a las {time}.|gracias a vuestros donativos hemos repartido {100-900} menús este mes.|el {weekday} no hay entrenamiento por obras en la piscina.|esta semana: tres lecturas, una entrevista con {annFull} y la agenda.]

? [La cuota de {amount:15-60} se pasará al cobro el {dateSoon}.|Buscamos {3-9} voluntarios para la fiesta.]

{bye}
{meFull}

[Para darte de baja, responde a este correo.|Baja: https://{host}/baja/{token}]
`)
