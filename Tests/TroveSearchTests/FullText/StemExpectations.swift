/// English words and their stems as the Snowball project's own stemmer gives them (snowballstemmer 2.2 for Python, "english").
enum StemExpectations {
    /// A word, its stem, and so on.
    static let english = """
        consign consign  consigned consign  consigning consign  consignment consign  consist consist  consisted consist
        consistency consist  consistent consist  consistently consist  consisting consist  consists consist
        consolation consol  consolations consol  consolatory consolatori  console consol  consoled consol  consoles consol
        consolidate consolid  consolidated consolid  consolidating consolid  consoling consol  consolingly consol
        consols consol  consonant conson  consort consort  consorted consort  consorting consort  conspicuous conspicu
        conspicuously conspicu  conspiracy conspiraci  conspirator conspir  conspirators conspir  conspire conspir
        conspired conspir  conspiring conspir  constable constabl  constables constabl  constance constanc  constancy constanc
        constant constant  knack knack  knackeries knackeri  knacks knack  knag knag  knave knave  knaves knave
        knavish knavish  kneaded knead  kneading knead  knee knee  kneel kneel  kneeled kneel  kneeling kneel  kneels kneel
        knees knee  knell knell  knelt knelt  knew knew  knick knick  knif knif  knife knife  knight knight  knightly knight
        knights knight  knit knit  knits knit  knitted knit  knitting knit  knives knive  knob knob  knobs knob  knock knock
        knocked knock  knocker knocker  knockers knocker  knocking knock  knocks knock  knopp knopp  knot knot  knots knot
        caresses caress  flies fli  dies die  mules mule  denied deni  died die  agreed agre  owned own  humbled humbl
        sized size  meeting meet  stating state  siezing siez  itemization item  sensational sensat  traditional tradit
        reference refer  colonizer colon  plotted plot  ties tie  cries cri  gas gas  this this  kiwis kiwi  gaps gap
        fluently fluentli  feed feed  hopping hop  hoping hope  hoped hope  falling fall  filing file  failing fail
        filling fill  hissing hiss  fizzed fizz  conflated conflat  troubled troubl  happy happi  sky sky  say say  by by
        cry cri  generate generat  generates generat  generously generous  generic generic  general general
        communism communism  community communiti  communication communic  arsenal arsenal  arsenic arsenic  skis ski
        skies sky  dying die  lying lie  tying tie  idly idl  gently gentl  ugly ugli  early earli  only onli  singly singl
        news news  howe howe  atlas atlas  cosmos cosmos  bias bias  andes andes  inning inning  innings inning  outing outing
        canning canning  herring herring  earring earring  proceed proceed  proceeds proceed  exceed exceed  exceeding exceed
        succeed succeed  succeeds succeed  rational ration  conditional condit  valency valenc  hesitancy hesit
        digitizer digit  conformably conform  radically radic  differently differ  vilely vile  analogously analog
        vietnamization vietnam  predication predic  operator oper  feudalism feudal  decisiveness decis  hopefulness hope
        callousness callous  formality formal  sensitivity sensit  sensibility sensibl  apologies apolog  analogy analog
        geology geolog  triplicate triplic  formative format  formalize formal  electricity electr  electrical electr
        hopeful hope  goodness good  revival reviv  allowance allow  inference infer  airliner airlin  gyroscopic gyroscop
        adjustable adjust  defensible defens  irritant irrit  replacement replac  adjustment adjust  dependent depend
        adoption adopt  homologou homologou  activate activ  angularity angular  homologous homolog  effective effect
        bowdlerize bowdler  probate probat  rate rate  cease ceas  controll control  roll roll  dogs' dog  dog's dog
        dogs's dog  'tis tis  boys' boy  yes yes  yellow yellow  youth youth  boy boy  enjoy enjoy  enjoyed enjoy  toy toy
        saying say  layed lay  beyond beyond  abyss abyss  rhythm rhythm  syzygy syzygi  national nation  nationally nation
        nationalism nation  rationally ration  relational relat  relative relat  relatively relat  formalities formal
        playing play  played play  player player  trying tri  tried tri  tries tri  fully fulli  helpfully help  lessly lessli
        carelessly careless  carelessness careless  badly bad  really realli  gladly glad  apply appli  applied appli
        application applic  apologize apolog  ontology ontolog  biology biolog  psychology psycholog  logi logi  bed bed
        bled bled  red red  shed shed  sped sped  singing sing  bringing bring  bing bing  sing sing  king king  thing thing
        things thing  seeing see  being be  going go  doing do  running run  runner runner  runs run  ran ran  sitting sit
        bigger bigger  biggest biggest  hopped hop  tapped tap  taping tape  tape tape  mapped map  added ad  adding ad
        egg egg  eggs egg  ebb ebb  ebbed eb  odd odd  off off  inn inn  err err  purr purr  purring pur  buzz buzz
        buzzing buzz  fuzzed fuzz  abide abid  abiding abid  able abl  ably abli  feasibly feasibl  possible possibl
        possibly possibl  possibility possibl  a a  i i  as as  is is  us us  an an  at at  to to  be be  he he  bus bus
        buses buse  gases gase  lens len  series seri  species speci  mass mass  masses mass  class class  classes class
        access access  accesses access  houses hous  horses hors  churches church  boxes box  mixed mix  mixing mix  box box
        boxed box  snow snow  snowed snow  snowing snow  row row  rowed row  fix fix  fixed fix  tax tax  taxed tax  play play
        plays play  obey obey  obeyed obey  owing owe  awe awe  awed awe  eye eye  eyed eye  eyeing eye  dye dye  dyed dy
        use use  used use  using use  user user  uses use  age age  aged age  ageing age  edge edg  edged edg  ion ion
        ions ion  nation nation  question question  action action  million million  lion lion  onion onion  opinion opinion
        religion religion  connection connect  connections connect  connective connect  connected connect  connecting connect
        connect connect  relate relat  related relat  relating relat  relation relat  music music  musical music
        musically music  musician musician  musicians musician  evans evan  bill bill  autumn autumn  leaves leav  leaf leaf
        leaving leav  leave leav  night night  nights night  nightly night  train train  trains train  training train
        trained train  what what  so so  blue blue  blues blue  kind kind  kinds kind  of of  portrait portrait
        portraits portrait  jazz jazz  minor minor  minors minor
        """
}
