/** Suspicious phrases in Portuguese. */
import { intentsOf } from './intents.js'
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
  ...intentsOf({
    machine: /\b(?:assistentes?|agentes?|ia|robo|bot|modelo|inteligencia artificial)\b/,
    owner: /\b(?:dono|titular|proprietario)\b/,
    ignore: /\b(?:ignor(?:e|a|ar)|esque[cç](?:a|e|er)|desconsider(?:e|a)|descart(?:e|a)|pule)\b/,
    instructions: /(?:instrucoes|regras|ordens|orientacoes|diretrizes|comandos|prompt)/,
    isVoid:
      /(?:instrucoes|regras|limites|restricoes|politica)[^.!?]{0,40}(?:nao (?:valem|se aplicam)|foram (?:canceladas|suspensas|substituidas)|mudou|mudaram)|modo (?:manutencao|desenvolvedor|debug) (?:ativ|esta)|aja como gerente/,
    conceal:
      /sem (?:perguntar|confirmar|confirmacao|avisar|aprovacao|questionar)|nao (?:precisa|e preciso|ha necessidade)[^.!?]{0,30}(?:perguntar|confirmar|chamar|aprov|avisar|falar)|nao (?:registre|mencione|avise|conte|inclua|pergunte)|(?:dono|titular|usuario|responsavel)[^.!?]{0,30}(?:autorizou|aprovou|ja sabe|concordou|nao (?:precisa|deve))|(?:depois|entao|e depois) (?:apague|exclua|limpa|limpe|apaga|delete)|e apague\.|ja (?:aprovado|autorizado)|ta liberado/,
    give: /\b(?:envi(?:e|a|ar|em)|mand(?:e|a|ar|em)|encaminh(?:e|a|ar)|respond(?:a|e|er)|col(?:e|a)|pass(?:e|a|ar)|mostr(?:e|a)|compartilh(?:e|a)|copi(?:e|a)|list(?:e|a)|diga|fala|inform(?:e|a)|repass(?:e|a)|procur(?:e|a)|compr(?:e|a))\b/,
    machineSecrets:
      /(?:chave (?:da |de )?api|prompt do sistema|seu prompt|suas (?:instrucoes|regras|chaves)|instrucoes (?:iniciais|completas)|variaveis de ambiente|sua configuracao|seu token|o token|\.env\b)/,
    allMail:
      /(?:todos os (?:e-mails|emails|mensagens|contatos|correios)|todas as mensagens|(?:os|as) ultim[oa]s \S{1,12}|tudo (?:o )?que (?:chega|entra)|lista de (?:clientes|contatos)|base de clientes|agenda de contatos|cada (?:e-mail|mensagem)|caixa de entrada)/,
    takeover:
      /(?:coloc(?:a|que)|mud(?:e|a)|troc(?:a|que)|adicion(?:e|a)|defin(?:a|e)|alter(?:e|a))[^.!?]{0,60}(?:e-mail de recuperacao|endereco de recuperacao|encaminhamento|administrador)|(?:execut(?:e|a)|rod(?:e|a))[^.!?]{0,40}(?:comando|script|curl)|(?:faca o reembolso|pague|aprov(?:e|a))[^.!?]{0,60}(?:sem|nao registre|e nao)|gere um cupom/,
    code: /\b(?:codigos?|digitos)\b/,
    isSent:
      /(?:(?:chegou|chegar|recebeu|recebe|receber|enviei|mandei|foi pro)|por sms|no (?:seu|teu) (?:celular|telemovel|numero))/,
    seed: /(?:(?:12|24|doze) palavras|frase (?:semente|de recuperacao|secreta)|seed phrase)/,
    enter: /\b(?:digit(?:e|a)|insir(?:a|e)|inform(?:e|a)|import(?:e|a)|escrev(?:a|e)|me passa)\b/,
    unprotect:
      /(?:desativ|deslig)(?:e|ue|a|ar)[^.!?]{0,30}(?:antivirus|defender|firewall|protecao)|executar assim mesmo|instalar mesmo assim|habilit(?:e|ar) (?:o )?(?:conteudo|macros|edicao)|fontes desconhecidas|execute como administrador/,
    oldAccount:
      /(?:conta|chave|boleto|iban) (?:antig[ao]|anterior|de sempre|habitual)[^.!?]{0,50}(?:bloquead|encerrad|auditoria|nao (?:sera|aceita|esta)|suspens)/,
    noCall:
      /nao (?:me )?(?:ligue|liga|ligar|telefone|atendo)|sem telefone|telefone[^.!?]{0,30}(?:nao|quebrad|fora|reforma)|(?:respond\w{1,3}|escrev\w{1,3}|mand\w{1,3})[^.!?]{0,20} (?:so|somente|apenas|aqui)|(?:so|somente) por (?:aqui|e-mail|esse)|nao posso falar|microfone|nao posso atender/,
    pay: /\b(?:pag(?:ue|a|ar|amento|o)|pix|transfer\w{1,6}|deposit\w{1,3}|fatura|boleto|dinheiro|valor|emprest\w{1,3})\b/,
    wages: /\b(?:salario|ordenado|pagamento mensal|vencimento)\b/,
    newAccount: /\b(?:nova conta|outra conta|conta nova|mudei de banco|troquei de banco|novo banco|nova chave)/,
    channel: /(?:no|pelo|por|via) (?:whatsapp|telegram|zap|signal|whats)|(?:whatsapp|telegram|zap)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /nao (?:conte|conta|fale|fala|diga|comente|comentem|ligue|envolva)|entre (?:nos|a gente)|(?:banco|site|plataforma|aplicativo)[^.!?]{0,30}(?:bloqueia|lent|trava|fora do ar|problema)|sigilo|so por aqui|confidencial|apague a conversa/,
    parent: /\b(?:mae|pai|mamae|papai|vo|vovo|avo)\b/,
    newPhone:
      /(?:novo (?:numero|celular|telemovel)|numero novo|(?:celular|telemovel)[^.!?]{0,20}(?:quebrou|caiu|perdi|estragou)|(?:quebrei|perdi) o (?:celular|telemovel)|troquei de numero|mudei de numero)/,
    deadline: /(?:\d{1,3} horas|prazo|ate (?:as|amanha|hoje)|senao|caso contrario|se nao)/,
    orElse: /(?:public|divulg|contatos|familia|colegas|amigos|vizinhos|avaliac|ataque|policia|apago)/,
    task: /(?:curt\w{1,3}|avali\w{1,3}|clic\w{1,3}|segu\w{1,3})[^.!?]{0,30}(?:videos?|hoteis|produtos|perfis|apps?|lojas|anuncios)/,
    perDay: /(?:por|ao|cada) (?:dia|tarefa|hora|semana|clique)|diarios?|comissao/,
    topUp: /(?:deposit|recarreg|proximo nivel|coloca \S|pague \S|desbloque|taxa)/,
    courier: /\b(?:motoboy|entregador|transportadora|courier|estafeta|motorista)\b/,
    collects: /(?:busca|pega|retira|recolhe|passa|vai buscar|levanta)/,
    card: /(?:cartao|banco|conta|receber (?:o dinheiro|o pagamento)|pix|liberar)/,
    unseen:
      /chaves?[^.!?]{0,60}(?:correio|motoboy|courier|agencia|envi)|(?:exterior|estrangeiro|outro (?:pais|estado))[^.!?]{0,100}(?:mostrar|visit|chave)|antes da visita|nao posso mostrar/,
    home: /(?:apartamento|casa|quarto|aluguel|imovel|arrendamento)/,
    deposit: /(?:caucao|sinal|reserva|deposito|pix|adiant)/,
    toll: /\b(?:pedagios?|portagens?|multa|ipva|free flow)\b/,
    isOpen: /(?:em aberto|pendente|atras|nao pag|vencid|regulariz|pague|evit)/,
    safeAccount:
      /para (?:uma|a|nossa|sua) conta (?:segura|protegida|de seguranca|garantida)|coloc\w{1,3}[^.!?]{0,20}(?:dinheiro|saldo) em seguranca/,
    notYou: /(?:compra|cobranca|debit|renov|assinatura|nao reconhece|cancelar|contestar|estorno)/,
    call: /\b(?:lig(?:ue|a|ar)|telefon\w{1,3}|contat\w{1,3}|central)\b/,
    donation: /(?:doac|doar|doe\b|enchente|orfa|vaquinha|vitimas|terremoto)/,
    giftCards: /(?:cartoes? presente|gift ?cards?|cartao (?:steam|google|apple))/,
    threat:
      /vai se arrepender|sei onde voce mora|vou te (?:matar|achar|acabar|destruir)|ninguem sentiria sua falta|se nao for minha|voce e (?:um lixo|uma vergonha|inutil|um nada)|vai pagar por isso/,
  }),
}
