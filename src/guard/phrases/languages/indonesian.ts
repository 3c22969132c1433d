/** Suspicious phrases in Indonesian. */
import { intentsOf } from './intents.js'
import type { Phrases } from './types.js'

export const INDONESIAN: Phrases = {
  credential_request:
    /(?:verifikasi|konfirmasi|perbarui|validasi|aktifkan kembali|buka blokir)\w{0,3} (?:akun|rekening|identitas|data|kartu|kata sandi|kotak surat|dompet)(?! pengiriman)/,
  secret_on_page:
    /(?:masukkan|ketik|isi|input)\w{0,3} (?!\S{0,12} ?baru)(?:\S{1,20} ){0,4}?(?:kata sandi|pin\b|password|nomor kartu|cvv|kode otp|otp\b|user id)/,
  secret_by_mail: /(?:balas|kirim\w{0,3})(?: \S{1,20}){0,5}? (?:kata sandi|pin\b|password|nomor kartu|cvv|otp\b)/,
  account_threat:
    /(?:akun|rekening|kartu|email|kotak surat|akses)[^.!?]{0,40}(?:diblokir|ditangguhkan|dibekukan|dihapus|dinonaktifkan|ditutup|dibatasi|hampir penuh)|(?:aktivitas|login|transaksi) (?:mencurigakan|tidak wajar|tidak dikenal)/,
  urgency: /dalam (?:2|6|12|24|48) ?jam|\bsegera\b|sebelum pukul|peringatan terakhir|kesempatan terakhir|hari ini juga/,
  reward_lure:
    /(?:anda|kamu) (?:\S{1,12} ){0,3}(?:memenangkan|terpilih|mendapat hadiah|mendapatkan hadiah)|(?:klaim|ambil) (?:\S{1,12} ){0,2}(?:hadiah|bonus|airdrop|voucher)/,
  parcel_fee:
    /(?:paket|kiriman)[^!?]{0,120}(?:biaya (?:kirim|bea|pengiriman|cukai|admin)|bea cukai|bea masuk|bayar)|paket[^.!?]{0,40}(?:tertahan|gagal diantar)[^!?]{0,120}(?:lengkapi|bayar|kartu)/,
  advance_fee: [
    /(?:pinjaman|warisan|ahli waris|hibah|almarhum|dana)[^!?]{0,120}(?:disetujui|cair|pencairan|jutaan|miliar)/,
    /(?:biaya (?:admin|administrasi|asuransi|pencairan)|deposit|bayar dulu|transfer dulu|juta|miliar)/,
  ],
  lottery: [
    /(?:undian|lotre|lotere|kuis)[^!?]{0,160}(?:menang|pemenang|hadiah)/,
    /(?:klaim|hubungi|pajak|juta|transfer)/,
  ],
  extortion: [
    /(?:rekam|retas|hack|video|foto)\w{0,6}[^!?]{0,160}\b(?:anda|kamu|mu)\b/,
    /bitcoin|\bbtc\b|kripto|transfer|bayar/,
    /(?:kontak|keluarga|teman|sebar|kantor)/,
  ],
  gift_cards: [
    /(?:beli|butuh|carikan)[^.!?]{0,60}(?:voucher|gift card|kartu hadiah|pulsa)/,
    /(?:kode|foto|kirim|gosok)/,
  ],
  changed_bank_details:
    /(?:rekening|bank) (?:kami |perusahaan )?(?:sudah )?(?:berubah|berganti|pindah)|(?:perubahan|pergantian) (?:nomor )?rekening|rekening baru (?:kami|perusahaan)?/,
  secrecy:
    /(?:jangan|tidak usah) (?:bilang|cerita|beri ?tahu|telepon)|(?:rahasiakan|bersifat rahasia)|sedang rapat[^.!?]{0,40}tidak bisa/,
  money_in_haste: [/(?:transfer|bayar|pembayaran|kirim uang)/, /\bsegera\b|sekarang juga|hari ini juga|secepatnya/],
  guaranteed_profit:
    /(?:untung|keuntungan|profit|hasil) (?:\S{1,12} )?(?:pasti|dijamin|tanpa risiko)|\d{1,3} ?% (?:per hari|sehari|per minggu)|(?:gandakan|lipatgandakan) (?:uang|modal)/,
  job_scam:
    /(?:kerja|lowongan|tugas)[^!?]{0,160}(?:per hari|sehari|per tugas|tiap sore)[^!?]{0,160}(?:telegram|whatsapp|\bwa\b|deposit)|(?:tanpa pengalaman|dari rumah|paruh waktu)[^!?]{0,160}(?:per hari|sehari|per jam)/,
  ...intentsOf({
    machine: /\b(?:asisten|mesin pembaca|sistem otomatis|agen|ai|bot|model)\b/,
    owner: /\bpemilik\w{0,2}\b/,
    ignore: /\b(?:abaikan|lupakan|kesampingkan|lewati)\b/,
    instructions: /(?:instruksi|perintah|aturan|arahan|batasan|prompt)/,
    isVoid:
      /(?:instruksi|aturan|batasan|perintah)[^.!?]{0,30}(?:tidak berlaku|dicabut|dibatalkan|sudah berubah)|mode (?:pemeliharaan|pengembang|perawatan) aktif/,
    conceal:
      /tanpa (?:bertanya|konfirmasi|persetujuan|memberi tahu|izin)|(?:pemilik|pengguna|atasan|bos|user)[^.!?]{0,30}(?:tidak perlu (?:diberi ?tahu|tahu|ditanya)|sudah (?:menyetujui|setuju|tahu|mengizinkan))|(?:jangan|tidak usah) (?:sebut|beri ?tahu|tanya|laporkan|cantumkan|bilang)|(?:lalu|kemudian|setelah itu) (?:hapus|kosongkan)|sembunyikan dari ringkasan|tidak usah konfirmasi|jangan tampilkan|orang tidak perlu/,
    give: /\b(?:kirim\w{0,3}|teruskan|balas|forward|tempelkan|salin|tampilkan|berikan|bagikan|sebutkan|kasih|bacakan|transfer|beli\w{0,3})\b/,
    machineSecrets:
      /(?:prompt sistem|kunci api|api key|variabel lingkungan|instruksi(?:mu| awal| lengkap)|token(?: sesi)?|konfigurasi(?:mu)?|\.env\b)/,
    allMail:
      /(?:semua (?:email|pesan|kontak|surat)|seluruh (?:email|kotak|kalender|kontak)|(?:sepuluh|lima|\d{1,3})? ?(?:email|pesan) terakhir|daftar (?:kontak|pelanggan)|buku alamat|kotak masuk|isi rapat|setiap (?:email|pesan))/,
    takeover:
      /(?:ganti|ubah|setel|tambahkan|atur)[^.!?]{0,60}(?:alamat pemulihan|email pemulihan|penerusan|admin)|(?:jalankan|eksekusi)[^.!?]{0,40}(?:perintah|skrip|curl)|(?:setujui|menyetujui) pembayaran|terima otomatis|tempelkan token/,
    code: /\b(?:kode|otp|angka|digit)\b/,
    isSent: /(?:\bsms\b|masuk ke|dikirim|terkirim|diterima|barusan|ke hp)/,
    seed: /(?:(?:12|24|dua belas) kata|frasa (?:pemulihan|seed|rahasia)|seed phrase)/,
    enter: /\b(?:masukkan|ketik\w{0,3}|isi\w{0,3}|tulis\w{0,3}|impor)\b/,
    unprotect:
      /(?:matikan|nonaktifkan)[^.!?]{0,30}(?:antivirus|defender|firewall|perlindungan|play protect)|tetap (?:instal|jalankan|buka)|aktifkan (?:konten|makro|pengeditan)|sumber tidak dikenal|izinkan pemasangan/,
    oldAccount: /rekening (?:lama|biasa|sebelumnya)[^.!?]{0,50}(?:diblokir|ditutup|diaudit|audit|tidak)/,
    noCall:
      /jangan (?:telepon|telpon|hubungi|call)|telepon[^.!?]{0,30}(?:rusak|mati|tidak|gangguan)|(?:balas|konfirmasi|jawab)[^.!?]{0,24} (?:di sini|saja|hanya)|tidak bisa (?:ditelepon|telepon|bicara|angkat)|mikrofon|kantor sedang (?:libur|tutup)/,
    pay: /\b(?:bayar\w{0,3}|pembayaran|transfer|tagihan|uang|setor\w{0,3}|pulsa|dana|biaya|pinjam\w{0,3}|tolong isi)\b/,
    wages: /\b(?:gaji|upah)\w{0,3}\b/,
    newAccount: /\b(?:rekening (?:baru|lain)|bank baru|ganti (?:rekening|bank)|pindah bank)/,
    channel:
      /(?:di|ke|lewat|via|lanjut|hubungi) (?:\S{1,10} ){0,2}(?:whatsapp|telegram)\b|(?:ke|via|lewat|lanjut|tulis ke|di) wa\b|\bwa saya\b|(?:whatsapp|telegram)[^.!?]{0,20}\+?\d{2}/,
    secret:
      /jangan (?:bilang|cerita|beri ?tahu|telepon|chat|kasih tahu)|(?:rahasia|antara kita)|di sini jarang|(?:bank|aplikasi|situs)[^.!?]{0,30}(?:blokir|lambat|gangguan|masalah)|tidak (?:usah|perlu) (?:bilang|telepon)|telepon (?:saya )?rusak|balas lewat email ini saja/,
    parent: /\b(?:mama|mah|ma|bunda|ibu|papa|pah|ayah|bapak|nenek|kakek)\b/,
    newPhone:
      /(?:nomor baru|hp baru|ganti nomor|(?:hp|handphone|ponsel)\w{0,3}[^.!?]{0,20}(?:rusak|jatuh|hilang|mati))/,
    deadline: /(?:\d{1,3} jam|sampai|sebelum|kalau tidak|jika tidak|batas waktu|bila tidak)/,
    orElse: /(?:sebar|publikasi|kontak|keluarga|rekan|teman|tetangga|kantor|grup|viral|polisi|hapus semua)/,
    task: /\b(?:like|follow|subscribe|bintang lima|rating|ulasan|klik|review)\b/,
    perDay: /per (?:hari|tugas|jam|minggu|tiga tugas)|sehari|harian|komisi|tiap sore/,
    topUp: /(?:deposit|isi saldo|prabayar|top ?up|modal|buka kunci)/,
    courier: /\b(?:kurir|sopir|driver|ekspedisi|layanan antar)\b/,
    collects: /(?:jemput|ambil|datang)/,
    card: /(?:kartu|bank|rekening|cair|otp)/,
    unseen:
      /kunci[^.!?]{0,60}(?:kurir|pos|dikirim|agen)|(?:luar negeri|luar kota)[^.!?]{0,100}(?:lihat|survei|kunci|menunjukkan)|sebelum (?:survei|lihat|melihat)/,
    home: /(?:rumah|apartemen|kos\b|kost|kontrakan|kamar|sewa)/,
    deposit: /(?:\bdp\b|uang muka|deposit|jaminan|tanda jadi|transfer)/,
    toll: /\b(?:tilang|tol|e-tilang|denda|parkir)\b/,
    isOpen: /(?:belum dibayar|tunggakan|jatuh tempo|bayar|tertunggak|lunasi)/,
    safeAccount: /ke rekening (?:aman|penampungan|sementara|penyelamat)|(?:amankan|selamatkan) (?:dana|uang|saldo)/,
    notYou: /(?:tagihan|didebit|diperpanjang|langganan|pesanan|batalkan|bukan anda|pengembalian)/,
    call: /\b(?:hubungi|telepon|telpon|call center)\b/,
    donation: /(?:donasi|sumbang|korban|yatim|gempa|banjir|pengungsi|galang dana)/,
    giftCards: /(?:kartu hadiah|gift card|voucher|pulsa|google play)/,
    threat:
      /kamu akan menyesal|(?:aku|saya|kami) tahu (?:rumah|alamat|di mana)|tidak ada yang (?:akan )?merindukan|(?:bunuh|habisi|hancurkan) kamu|dasar (?:sampah|bodoh|maling)|awas (?:kamu|kau)/,
  }),
}
