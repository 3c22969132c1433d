/** Wanted mail in Portuguese, of Portugal and of Brazil. */
import { mails } from './mails.js'

export const portuguese = mails(`
### order/pt/confirmed html
From: {company} <[encomendas|pedidos|loja]@{host}>
Subject: [=Encomenda {order} confirmada|Recebemos o seu pedido {order}|O seu pedido já saiu]

Olá {you},

[=obrigado pela sua compra! Já estamos a preparar tudo.|recebemos o seu pedido e enviaremos um novo e-mail quando sair do armazém.|o seu pedido foi enviado hoje e deve chegar até {dateSoon}.]

| Pedido | {order}
| Artigo | {product}
| Total | {amount:20-240}

=> [Ver pedido|Acompanhar entrega] -> https://{host}/conta/pedidos/{token}

? [Tem 14 dias para devolver, sem custos.|Código de rastreio: {tracking}]

~ {legal}

### billing/pt/invoice html mixed
From: {company} <[faturas|financeiro|cobranca]@{host}>
Subject: [=Fatura {invoice}|A sua fatura de {month} está disponível|Pagamento recusado - {company}|Lembrete: fatura {invoice}]
Attach: Fatura-{invoice}.pdf

{dear}

[=segue em anexo a fatura {invoice}, no valor de {amount:20-900}, com vencimento em {dateLater}.|a fatura de {month} já está disponível. O débito será feito em {dateSoon}.|não conseguimos cobrar {amount:9-60} no cartão terminado em {card}. Tentaremos de novo em {dateSoon}.|não identificamos o pagamento da fatura em anexo, vencida em {dayBefore}.]

[Se já pagou, por favor desconsidere este aviso.|Pode atualizar os dados em <<Minha conta -> https://{host}/conta/pagamentos>>.] [Dúvidas: {dial}.|]

{bye}
{company}

### account/pt/security own html mixed
From: {company} <[seguranca|nao-responda|conta]@{host}>
Subject: [=Redefinição de senha|O seu código é {code}|Novo acesso à sua conta|Confirme o seu e-mail]

Olá {you},

[=recebemos um pedido para redefinir a sua senha. O link é válido por {1-24} horas: <<criar nova senha -> https://{host}/senha/{token}>>|o código de acesso é {code} e expira em {5-15} minutos. Não o partilhe com ninguém.|a sua conta foi acedida a partir de um novo dispositivo ([iPhone|Chrome no Windows], {city}) em {date}, às {time}.|só falta confirmar o seu endereço: <<confirmar -> https://{host}/confirmar/{token}>>.]

[Se não foi você, ignore esta mensagem.|Se foi você, não precisa de fazer nada. Caso contrário, altere a senha nas definições.]

[Equipa {company}|Até breve]

### bank/pt/notice own
From: {company} <[documentos|avisos]@{host}>
Org: Banco Carvalhal @ bancocarvalhal.example;Seguros Horizonte @ seguroshorizonte.example;Cooperativa Pinhal @ cooperativapinhal.example
Subject: [Extrato de {month} disponível|Tem um novo documento|Renovação do seu seguro|Recibo de vencimento de {month}]

{dear}

[o extrato de {month} já pode ser consultado na aplicação.|o seu seguro renova-se em {dateLater}; o prémio é de {amount:90-500}.|há um novo documento na sua área de cliente.] [Aceda como habitualmente; não enviamos links por e-mail.|Nunca pedimos códigos nem palavras-passe por e-mail.]

{bye}
{company}, {dial}

### appointment/pt/reminder
From: {company} <[marcacoes|reservas|agenda]@{host}>
Org: Clínica Azevedo @ clinicaazevedo.example;Pousada da Serra @ pousadadaserra.example;Restaurante Tasca Nova @ tascanova.example;Salão Caracol @ salaocaracol.com.br
Subject: [Lembrete: consulta em {dateSoon}|A sua reserva {booking}|Confirmação de marcação, {weekday} às {time}]

Olá {you},

[lembramos a sua consulta de {dateSoon}, às {time}.|a sua reserva para {2-6} pessoas em {dateSoon} está confirmada.|esperamos por si {weekday} às {time}.] [Traga, por favor, os exames anteriores e a lista de medicamentos.|O check-in é a partir das {14-16}h.|]

[Se não puder vir, avise com 24 horas de antecedência: {dial}.|Para cancelar: https://{host}/cancelar/{token}]

{company}

### support/pt/exchange client
From: {me} ({company}) <[suporte|apoio|atendimento]@{host}>
Subject: Re: [pedido {order}|erro ao exportar|reembolso|reclamação|{ticket}]

{dear}

[obrigad{g:o/a} pela paciência.|agradecemos o contacto e pedimos desculpa pelo transtorno.|tem toda a razão, devíamos ter respondido antes.] [O erro deve-se a uma data em falta na linha {20-900}; na versão {version} já está corrigido.|O reembolso de {amount:12-90} foi feito e aparece em {3-8} dias úteis.|A peça segue amanhã, pode ficar com a outra.]

[Pode confirmar se já funciona?|Qualquer coisa, é só responder.]

{bye}
{meFull}

### work/pt/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Reunião de {weekday}|Podemos falar?]|Adiar a reunião|Orçamento {invoice}|Candidatura: {job}|Ata de {date}]
To: 1-5
Attach: [=||Orcamento-{invoice}.pdf|CV-{meFamily}.pdf|]

{hi}

[=tens meia hora {weekday} às {time} para falarmos de {otherCompany}?|preciso de adiar a reunião para {dateSoon}, à mesma hora. Pode ser?|segue o orçamento revisto: {amount:900-9000} mais IVA, válido até {dateLater}.|envio em anexo o meu currículo; trabalho há {3-12} anos em {otherCompany}.|segue a ata de ontem, vejam se falta alguma coisa.]

? - [{ann} fala com o fornecedor até {weekday}|falta decidir o orçamento]
- [{bob} prepara a apresentação|próxima reunião: {dateSoon}]

{bye}
{me}

### agent/pt/request
From: Assistente de {meFull} <{meLocal}@{host}>
Org: Correio Nove @ agentes.correionove.example;Deskmate @ deskmate.app
Subject: [Pedido em nome de {meFull}|Disponibilidade: {product}|Cancelamento da assinatura {10000-99999}|Pedido de acesso a dados pessoais|Cotação até {dateSoon}]

Bom dia,

[sou o assistente virtual de {meFull} e escrevo a seu pedido.|escrevo em nome de {meFull}.]

1. [O artigo está disponível? Qual é o prazo de entrega para {city}?|Têm vaga em {dateSoon}, por volta das {time}?]
2. [O preço inclui IVA?|Pedimos confirmação por escrito do cancelamento.|Pedimos cópia dos dados pessoais que guardam.]

[Basta uma resposta curta.|{me} decide até {weekday}.]

Em nome de {meFull}

### private/pt/family casual client
Subject: [domingo|aniversário da mãe|fotos|tudo bem?|dinheiro da casa|Re: logo]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[obrigad{g:o/a} pelo fim de semana, os miúdos adoraram.|há que tempos! está tudo bem por aí?|para a prenda da mãe pensei em {amount:15-40} cada um.|combinado, {weekday} às {time}.] [O {bob} arranjou trabalho em {city}.|O pai tem de tomar um comprimido de manhã e meio à noite.|Saiu-me {amount:5-30} na raspadinha, o café é por minha conta.|Ainda te devo {amount:10-60} dos bilhetes, transfiro amanhã.]

? [Vêm almoçar no domingo?|Liga-me depois das {time}.]

{cheers}
{me}

### news/pt/shop html bulk
From: {company} <[novidades|newsletter|ola]@{host}>
Subject: [{10-40}% de desconto até domingo|Novidades de {month}|Últimas horas!|{you}, temos uma surpresa|Convite: {dateLater}]

# [Chegaram os saldos|Novidades|Só este fim de semana]

[Até {dateSoon}, {10-40}% em toda a loja com o código OBRIGADO{5-30}.|A nova coleção já chegou.|Em {dateLater}, às {time}, abrimos as portas da oficina.] [Portes grátis a partir de {amount:25-60}.|]

=> [Ver ofertas|Descobrir|Quero ir] -> https://{host}/[saldos|novidades|eventos]

~ {unsubscribe}
~ {legal}

### news/pt/club bulk
From: {company} <[secretaria|info]@{host}>
Org: Clube de Remo do Mondego @ remomondego.example;Associação Mãos Dadas @ maosdadas.example;Escola Sol Nascente @ escolasolnascente.example
Subject: [Avisos da semana|Assembleia geral a {dateLater}|Obrigado pelas doações|Boletim n.º {20-200}]
To: 15-150

Caros sócios[, caros amigos|, caros pais|],

[a assembleia é em {dateLater}, às {time}.|graças a vocês entregámos {100-900} cabazes este mês.|{weekday} não há treino por causa das obras.] [A quota de {amount:15-60} pode ser paga na secretaria.|Precisamos de {3-9} voluntários para a festa.]

{bye}
{meFull}

[Para sair da lista, responda a este e-mail.|Cancelar: https://{host}/sair/{token}]

### order/pt/brasil html
From: {company} <[pedidos|atendimento|loja]@{host}>
Org: Café Ipê @ cafeipe.com.br;Oficina Mandacaru @ oficinamandacaru.com.br;Livraria Sabiá @ livrariasabia.com.br
Subject: [=Pedido {order} aprovado|Seu pedido saiu para entrega|Nota fiscal do pedido {order}]
Attach: [=||NFe-{num:100000-999999}.pdf]

Oi, {you}!

[=Seu pagamento foi aprovado e já estamos separando os produtos.|Boas notícias: seu pedido está com o entregador e chega hoje até as {16-20}h.|Segue a nota fiscal da sua compra.]

| Pedido | {order}
| Frete | [grátis|{amount:3-9}]
| Total | {amount:20-240}

=> [Acompanhar pedido|Ver detalhes] -> https://{host}/meus-pedidos/{token}

? [Não pague nada ao entregador.|Você pode trocar em até 30 dias.]

~ {legal}

### private/pt/brasil casual client
Subject: [churrasco domingo|Re: hoje à noite|fotos da viagem|aluguel|o presente da mãe]

[Oi {you}, tudo bem?|E aí {you}!|Oi gente,]

[domingo tem churrasco aqui em casa, cada um traz uma carne.|fiz o pix de {amount:10-60} agora, vê se caiu.|o aluguel vence {dateSoon}, me manda sua parte?|a viagem foi demais, depois mando as fotos.] [O pai tá tomando um remédio novo, um comprimido depois do almoço.|O {bob} passou no concurso!|Chego lá pelas {time}.|Não deu nada na loteria de novo, rs.]

[beijo|abraço|valeu|até mais]
{me}
`)
