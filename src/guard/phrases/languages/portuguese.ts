/** Suspicious phrases in Portuguese. */
import type { Phrases } from './types.js'

export const PORTUGUESE: Phrases = {
  run_command_request: [
    /(?:pression\w{1,3}|apert\w{1,3})[^.!?]{0,40}\b(?:windows|win) ?(?:\+|e) ?(?:a tecla )?r\b|abr\w{1,3}[^.!?]{0,40}(?:terminal|powershell|prompt de comando|executar)[^.!?]{0,120}(?:col[ae]\b|colar)/,
    /verific|captcha|robo\b|repar|corrig|visualiz|ver\b|desbloque|acessar|continuar|confirm/,
  ],
  credential_request:
    /(?:confirm(?:e|ar)|verifi(?:que|car)|atuali(?:ze|zar)|actuali(?:ze|zar)|valid(?:e|ar)|reativ(?:e|ar)|desbloque(?:ie|ar)|recadastr(?:e|ar)|regulari(?:ze|zar)|complet(?:e|ar)) (?:imediatamente |agora |ja )?(?:o |a |os |as )?(?:seu|sua|seus|suas|teu|tua) (?:[a-z-]{1,30} ){0,3}(?:conta|identidade|senha|palavra-passe|dados|informacoes|cartao|credenciais|cadastro|acesso|caixa de (?:correio|entrada)|metodo de pagamento|forma de pagamento|perfil|cpf)\b(?! de (?:entrega|contato))/,
  secret_on_page:
    /(?:insir(?:a|ir)|inserir|introdu(?:za|zir)|digit(?:e|ar)|inform(?:e|ar)|fornec(?:a|er)) (?:o |a |os |as )?(?:seu|sua|seus|suas) (?!nova)(?:[a-z-]{1,30} ){0,3}(?:senha|palavra-passe|pin|numero do cartao|dados do cartao|dados bancarios|cvv|codigo de seguranca|credenciais|token)/,
  secret_by_mail:
    /(?:envi(?:e|ar)|mand(?:e|ar)|respond(?:a|er) com)(?:-nos|-me)? (?:o |a |os |as )?(?:seu|sua|seus|suas) (?:[a-z-]{1,30} ){0,3}(?:senha|palavra-passe|pin|numero do cartao|cvv|credenciais)/,
  account_threat:
    /(?:conta|cartao|acesso|caixa|perfil|assinatura|cadastro|cpf)[^.!?]{0,30}(?:foi|sera|esta|sido|ser|ficara) (?:temporariamente |definitivamente |permanentemente )?(?:suspens[oa]|bloquead[oa]|limitad[oa]|desativad[oa]|encerrad[oa]|restringid[oa]|cancelad[oa]|excluid[oa])|(?:atividade|acesso|login|transacao|compra|movimentacao) (?:incomum|suspeit[oa]|nao autorizad[oa]|nao reconhecid[oa])|(?:evitar|impedir) (?:a suspensao|o bloqueio|o encerramento|o cancelamento|a desativacao)|(?:caixa|armazenamento)[^.!?]{0,30}(?:chei[oa])|(?:senha|palavra-passe) (?:expira|vai expirar|esta prestes)/,
  payment_problem:
    /(?:pagamento|cobranca)[^.!?]{0,40}(?:recusado|falhou|nao foi processado|nao foi possivel|rejeitado)[^!?]{0,120}(?:atuali(?:ze|zar)|forma de pagamento|metodo de pagamento|dados|informacoes)/,
  urgency:
    /(?:dentro de|em ate|nas proximas|em menos de|no prazo de) (?:24|48|72|12|6|2) ?(?:horas|hs?\b)|imediatamente|\burgente|ultimo (?:aviso|lembrete)|ultima (?:chance|oportunidade)|aja (?:agora|ja)|o mais rapido possivel|com urgencia/,
  reward_lure:
    /(?:voce|foi|tem sido) (?:ganhou|sorteado|selecionad[oa]|contemplad[oa]|premiad[oa])|(?:resgat(?:e|ar)|solicit(?:e|ar)|receb(?:a|er)|reivindi(?:que|car)) (?:o |a )?(?:seu|sua) (?:[a-z-]{1,30} ){0,2}(?:premio|presente|reembolso|restituicao|bonus|recompensa)|(?:direito|elegivel)[^.!?]{0,40}(?:reembolso|restituicao)|(?:reembolso|restituicao) (?:de imposto |do ir )?(?:de|no valor de) (?:r\$ ?)?\d/,
  parcel_fee:
    /(?:encomenda|pacote|entrega|pedido|objeto|remessa)[^!?]{0,120}(?:taxa (?:de |alfandegaria|aduaneira)(?:[a-z]{0,20})?|taxas alfandegarias|despesas (?:de envio|alfandegarias)|tributo|portes de envio|frete pendente)|(?:encomenda|pacote|objeto)[^.!?]{0,60}(?:retid[oa]|nao pode ser entregue|nao foi possivel entregar|pendente|aguardando|taxad[oa])[^!?]{0,120}(?:confirm(?:e|ar)|pag(?:ue|ar)|pagamento|taxa)/,
  advance_fee: [
    /(?:heranca|herdeir[oa]|beneficiari[oa]|falecid[oa]|parente mais proximo|legado|doacao|doar)/,
    /milho(?:es|ns) (?:de )?(?:dolares|euros|usd|eur|reais)|milhao de (?:dolares|euros|reais)|\d{1,3}(?:[.,]\d{3}){2}/,
  ],
  lottery: [
    /(?:loteria|lotaria|sorteio)[^!?]{0,200}(?:ganhou|ganhador|vencedor|premiad|contemplad)/,
    /(?:contat|contact|reivindi|resgat|milh|numero vencedor|agente|premio de)/,
  ],
  extortion: [
    /(?:hacke|invadi|gravei|gravad|filmei|infect|acesso total|acesso completo|trojan|malware|virus)[^!?]{0,200}\b(?:seu|sua|seus|suas|voce|teu|tua)\b/,
    /bitcoin|\bbtc\b|monero|criptomoeda/,
    /(?:contatos|contactos|amigos|familia|publicar|divulgar|enviarei|vou enviar|colegas)/,
  ],
  gift_cards: [
    /(?:compr|preciso|adquir|consig|arranj)[^.!?]{0,60}(?:cartoes?[- ](?:de )?presente|cartao[- ](?:de )?presente|vale[- ]presente|gift cards?|cartoes (?:google play|steam|itunes|amazon))/,
    /(?:codigos?|foto|envi|mand|rasp|verso)/,
  ],
  changed_bank_details:
    /(?:novos|nova|novo|novas|alteracao|mudanca|atualizacao) (?:de |da |dos |nos |nas |nossos |nossa )?(?:nossos |nossa |nossas |meus )?(?:dados bancarios|conta bancaria|iban\b|coordenadas bancarias|chave pix)|(?:dados bancarios|conta bancaria|chave pix)[^.!?]{0,30}(?:mudaram|mudou|foram alterad|foi alterad)/,
  secrecy:
    /(?:estritamente|absolutamente|totalmente|maximo) (?:confidencial|sigilo)|nao (?:comente|fale|conte|diga)[^.!?]{0,30}(?:ninguem)|(?:estou em (?:uma )?reuniao|nao posso falar)[^.!?]{0,60}(?:mail|lig|telefone)/,
  money_in_haste: [
    /(?:transferencia|pagamento|pagar|transferir|\bpix\b)/,
    /\burgente|imediatamente|hoje mesmo|o mais rapido possivel|com urgencia/,
  ],
  guaranteed_profit:
    /(?:lucros?|ganhos?|rendimentos?|retornos?|renda) (?:[a-z]{1,20} )?(?:garantid[oa]s?|sem riscos?)|(?:dobre|duplique|multiplique) (?:o |a |os |as )?(?:seu|sua|seus|suas)|\d{1,4} ?% (?:ao dia|por dia|diarios?|por semana|ao mes garantid)|(?:invest|trading|bitcoin|cripto)[^.!?]{0,60}(?:sem risco|liberdade financeira|ficar rico)/,
  job_scam:
    /ganh(?:e|ar)[^.!?]{0,40}(?:por dia|ao dia|por hora|por semana|diarios)[^!?]{0,160}(?:whatsapp|telegram|em casa|de casa|sem experiencia)|(?:sem experiencia|em casa|de casa)[^!?]{0,160}ganh(?:e|ar)[^.!?]{0,60}(?:por dia|ao dia|por hora|por semana|diarios)/,
  qr_code: /(?:escane(?:ie|ar)|digitaliz(?:e|ar)|leia|aponte)[^.!?]{0,40}(?:codigo qr|qr ?code)/,
}
