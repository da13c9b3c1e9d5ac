-- The demo's source: a shop with eight tables that are read, one that is empty and one that its reader may not read.
-- Every value follows from its row's number, so two shops are the same to the last byte. Made in one transaction.

-- A number from 0 to `bound` - 1 that looks random and is not.
create function pg_temp.pick(seed bigint, salt integer, bound integer) returns integer
language sql immutable as $$
  select ((seed * 7919 + salt * 104729) % 1000003 * 2654435761 % 4294967291 / 4096 % bound)::integer
$$;

-- One of these words.
create function pg_temp.word(seed bigint, salt integer, words text[]) returns text
language sql immutable as $$
  select words[1 + pg_temp.pick(seed, salt, cardinality(words))]
$$;

create table public.countries (
  code char(2) primary key,
  name varchar(80) not null,
  vat_percent numeric(4,1) not null
);
insert into public.countries (code, name, vat_percent)
select left(entry, 2), substr(entry, 4), 5 * pg_temp.pick(ascii(entry) * 100 + ascii(substr(entry, 2)), 1, 6)
  from unnest(string_to_array(
    'AD Andorra;AE United Arab Emirates;AF Afghanistan;AG Antigua and Barbuda;AL Albania;AM Armenia;AO Angola;'
    'AR Argentina;AT Austria;AU Australia;AZ Azerbaijan;BA Bosnia and Herzegovina;BB Barbados;BD Bangladesh;'
    'BE Belgium;BF Burkina Faso;BG Bulgaria;BH Bahrain;BI Burundi;BJ Benin;BN Brunei Darussalam;'
    'BO Bolivia, Plurinational State of;BR Brazil;BS Bahamas;BT Bhutan;BW Botswana;BY Belarus;BZ Belize;CA Canada;'
    'CD Congo, Democratic Republic of the;CF Central African Republic;CG Congo;CH Switzerland;CI Côte d''Ivoire;'
    'CL Chile;CM Cameroon;CN China;CO Colombia;CR Costa Rica;CU Cuba;CV Cabo Verde;CY Cyprus;CZ Czechia;DE Germany;'
    'DJ Djibouti;DK Denmark;DM Dominica;DO Dominican Republic;DZ Algeria;EC Ecuador;EE Estonia;EG Egypt;ER Eritrea;'
    'ES Spain;ET Ethiopia;FI Finland;FJ Fiji;FM Micronesia, Federated States of;FR France;GA Gabon;'
    'GB United Kingdom of Great Britain and Northern Ireland;GD Grenada;GE Georgia;GH Ghana;GM Gambia;GN Guinea;'
    'GQ Equatorial Guinea;GR Greece;GT Guatemala;GW Guinea-Bissau;GY Guyana;HN Honduras;HR Croatia;HT Haiti;'
    'HU Hungary;ID Indonesia;IE Ireland;IL Israel;IN India;IQ Iraq;IR Iran, Islamic Republic of;IS Iceland;IT Italy;'
    'JM Jamaica;JO Jordan;JP Japan;KE Kenya;KG Kyrgyzstan;KH Cambodia;KI Kiribati;KM Comoros;KN Saint Kitts and Nevis;'
    'KP Korea, Democratic People''s Republic of;KR Korea, Republic of;KW Kuwait;KZ Kazakhstan;'
    'LA Lao People''s Democratic Republic;LB Lebanon;LC Saint Lucia;LI Liechtenstein;LK Sri Lanka;LR Liberia;'
    'LS Lesotho;LT Lithuania;LU Luxembourg;LV Latvia;LY Libya;MA Morocco;MC Monaco;MD Moldova, Republic of;'
    'ME Montenegro;MG Madagascar;MH Marshall Islands;MK North Macedonia;ML Mali;MM Myanmar;MN Mongolia;MR Mauritania;'
    'MT Malta;MU Mauritius;MV Maldives;MW Malawi;MX Mexico;MY Malaysia;MZ Mozambique;NA Namibia;NE Niger;NG Nigeria;'
    'NI Nicaragua;NL Netherlands;NO Norway;NP Nepal;NR Nauru;NZ New Zealand;OM Oman;PA Panama;PE Peru;'
    'PG Papua New Guinea;PH Philippines;PK Pakistan;PL Poland;PS Palestine, State of;PT Portugal;PW Palau;PY Paraguay;'
    'QA Qatar;RO Romania;RS Serbia;RU Russian Federation;RW Rwanda;SA Saudi Arabia;SB Solomon Islands;SC Seychelles;'
    'SD Sudan;SE Sweden;SG Singapore;SI Slovenia;SK Slovakia;SL Sierra Leone;SM San Marino;SN Senegal;SO Somalia;'
    'SR Suriname;SS South Sudan;ST Sao Tome and Principe;SV El Salvador;SY Syrian Arab Republic;SZ Eswatini;TD Chad;'
    'TG Togo;TH Thailand;TJ Tajikistan;TL Timor-Leste;TM Turkmenistan;TN Tunisia;TO Tonga;TR Türkiye;'
    'TT Trinidad and Tobago;TV Tuvalu;TZ Tanzania, United Republic of;UA Ukraine;UG Uganda;'
    'US United States of America;UY Uruguay;UZ Uzbekistan;VA Holy See;VC Saint Vincent and the Grenadines;'
    'VE Venezuela, Bolivarian Republic of;VN Viet Nam;VU Vanuatu;WS Samoa;YE Yemen;ZA South Africa;ZM Zambia;'
    'ZW Zimbabwe',
    ';')) entry;

create table public.stores (
  id integer primary key,
  name varchar(80) not null,
  city varchar(60) not null,
  country_code char(2) not null references public.countries,
  email varchar(120) not null,
  opened_on date not null
);
insert into public.stores (id, name, city, country_code, email, opened_on)
select n,
       'Fell & Moor ' || city,
       city,
       country,
       translate(lower(city), 'üøöäéãó ', 'uooaeao-') || '@shop.example.com',
       date '2009-03-02' + n::integer * 211
  from unnest(
    '{Berlin,Hamburg,München,Köln,Wien,Zürich,Paris,Lyon,Amsterdam,Antwerpen,København,Malmö,Oslo,Helsinki,Tallinn,Kraków,Praha,Milano,Lisboa,Dublin}'::text[],
    '{DE,DE,DE,DE,AT,CH,FR,FR,NL,BE,DK,SE,NO,FI,EE,PL,CZ,IT,PT,IE}'::text[])
  with ordinality store(city, country, n);

create table public.products (
  id bigint primary key,
  sku varchar(20) not null unique,
  name varchar(120) not null,
  category varchar(40) not null,
  description text,
  price numeric(10,2) not null,
  weight_grams integer not null,
  active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz
);
insert into public.products (id, sku, name, category, description, price, weight_grams, active, created_at, updated_at)
select n,
       format('FM-%s-%s', upper(left(kind, 3)), to_char(n, 'FM0000')),
       format('%s %s %s', look, material, kind),
       category,
       case
         when n % 50 = 7 then format(E'%s, %s and "built to last".\nHand wash only;\ndo not tumble dry.', look, lower(material))
         when n % 9 > 0 then format('A %s %s made of %s.', lower(look), lower(kind), lower(material))
       end,
       9.9 + 5 * pg_temp.pick(n, 2, 60),
       80 + 10 * pg_temp.pick(n, 3, 240),
       n % 23 <> 0,
       timestamptz '2023-05-01 09:00+00' + n * interval '19 hours',
       case when n % 3 = 0 then timestamptz '2025-11-03 08:30+00' + n * interval '7 hours' end
  from unnest('{Alpine,Coastal,Everyday,Heritage,Light,Nordic,Packable,Quiet,Rugged,Trail}'::text[]) with ordinality l(look, a),
       unnest('{Canvas,Cork,Cotton,Felt,Fleece,Leather,Linen,Nylon,Steel,Wool}'::text[]) with ordinality m(material, b),
       unnest('{Backpack,Jacket,Blanket,Lantern,Mug}'::text[], '{Bags,Clothing,Home,Outdoor,Kitchen}'::text[]) with ordinality k(kind, category, c),
       lateral (select (a - 1) * 50 + (b - 1) * 5 + c as n) numbered;

create table public.promotions (
  id bigint primary key,
  code varchar(40) not null unique,
  description text,
  percent_off numeric(4,1) not null,
  starts_at timestamptz not null,
  ends_at timestamptz
);

create table public.payroll (
  id bigint primary key,
  employee varchar(80) not null,
  store_id integer not null references public.stores,
  monthly_salary numeric(10,2) not null,
  paid_on date not null
);
insert into public.payroll (id, employee, store_id, monthly_salary, paid_on)
select n,
       pg_temp.word(n, 4, '{Aino,Bram,Chiara,Dmitri,Elif,Femke,Goran,Hanne}') || ' ' || pg_temp.word(n, 5, '{Berg,Costa,Dahl,Egger,Faber,Grand}'),
       1 + (n - 1) % 20,
       2400 + 25 * pg_temp.pick(n, 6, 90),
       date '2026-01-31'
  from generate_series(1, 240) n;

create table public.customers (
  id bigint primary key,
  first_name varchar(60) not null,
  last_name varchar(60) not null,
  email varchar(160) not null unique,
  phone varchar(30),
  city varchar(60),
  country_code char(2) not null,
  marketing_consent boolean not null,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz
);
insert into public.customers (id, first_name, last_name, email, phone, city, country_code, marketing_consent, note, created_at, updated_at)
select n,
       first_name,
       last_name,
       translate(lower(first_name || '.' || last_name), 'éöüø ''', 'eouo-') || '.' || n || '@example.net',
       case when n % 4 > 0 then format('+49 30 555 %s', to_char(pg_temp.pick(n, 7, 10000), 'FM0000')) end,
       pg_temp.word(n, 8, '{Berlin,Paris,Wien,Oslo,Lyon,Praha,Milano,Porto,Gent,Turku,Aarhus,Graz}'),
       pg_temp.word(n, 8, '{DE,FR,AT,NO,FR,CZ,IT,PT,BE,FI,DK,AT}'),
       n % 3 = 1,
       case n % 400
         when 17 then 'Prefers the "click & collect" desk, never by post'
         when 111 then E'Called twice:\n1. late delivery\n2. wrong size, kept it'
         when 333 then 'says; "no, thanks", always'
       end,
       timestamptz '2023-06-01 06:00+00' + n * interval '67 minutes',
       case when n % 5 = 0 then timestamptz '2026-01-05 12:00+00' + n * interval '11 minutes' end
  from generate_series(1, 20000) n,
       lateral (
         select pg_temp.word(n, 10, '{Ada,Béatrice,Carlos,Dörte,Emre,Fatima,Günter,Hilde,Ivo,Jana,Koen,Lea,Marta,Nils,Olga,Søren}') as first_name,
                pg_temp.word(n, 11, '{Abel,Brandt,Carlsen,O''Brien,Duarte,Eriksen,Fischer,Van Dijk,Haas,Ito,Jansen,Kowalski,Lindqvist,Meyer}') as last_name
       ) named;

-- Items first: the total of an order is the sum of its items.
create table public.order_items (
  order_id bigint not null,
  line_no integer not null,
  product_id bigint not null,
  quantity integer not null,
  unit_price numeric(10,2) not null,
  discount numeric(10,2) not null
);
insert into public.order_items (order_id, line_no, product_id, quantity, unit_price, discount)
select o, line, product.id, quantity, product.price,
       case when pg_temp.pick(o * 10 + line, 12, 12) = 0 then round(product.price * quantity / 10, 2) else 0 end
  from generate_series(1, 60000) o,
       generate_series(1, 1 + pg_temp.pick(o, 13, 9)) line,
       lateral (select 1 + pg_temp.pick(o * 10 + line, 14, 3) as quantity, 1 + pg_temp.pick(o * 10 + line, 15, 500) as product_id) chosen
  join public.products product on product.id = product_id;

create table public.orders (
  id bigint primary key,
  customer_id bigint not null,
  store_id integer,
  status varchar(12) not null,
  currency char(3) not null,
  total numeric(12,2) not null,
  comment text,
  ordered_at timestamptz not null,
  updated_at timestamptz
);
insert into public.orders (id, customer_id, store_id, status, currency, total, comment, ordered_at, updated_at)
select o,
       1 + pg_temp.pick(o, 16, 20000),
       case when o % 3 = 0 then 1 + pg_temp.pick(o, 17, 20) end,
       case when o > 59600 then 'placed' when o % 41 = 0 then 'returned' when o % 29 = 0 then 'cancelled' else 'delivered' end,
       'EUR',
       items.total,
       case o % 500
         when 42 then E'Leave it with the neighbour,\nsecond floor, "Lindqvist"'
         when 137 then 'gift; please wrap, no invoice'
         when 310 then '50% off? the site said "yes"'
       end,
       ordered_at,
       case when o % 2 = 0 then ordered_at + interval '2 days 3 hours' end
  from (select order_id as o, sum(unit_price * quantity - discount) as total from public.order_items group by order_id) items,
       lateral (select timestamptz '2024-02-01 05:00+00' + o * interval '17 minutes' as ordered_at) placed
  order by o;

create table public.payments (
  id bigint primary key,
  order_id bigint not null,
  method varchar(12) not null,
  status varchar(12) not null,
  amount numeric(12,2) not null,
  currency char(3) not null,
  reference varchar(40) not null,
  paid_at timestamptz
);
insert into public.payments (id, order_id, method, status, amount, currency, reference, paid_at)
select id,
       id,
       pg_temp.word(id, 18, '{card,card,card,paypal,invoice,sepa,cash}'),
       case status when 'placed' then 'authorised' when 'cancelled' then 'voided' when 'returned' then 'refunded' else 'captured' end,
       total,
       currency,
       format('FM/%s/%s', to_char(ordered_at, 'YYYYMM'), to_char(id, 'FM000000')),
       case when status <> 'placed' then ordered_at + interval '40 minutes' end
  from public.orders
  order by id;

alter table public.order_items
  add primary key (order_id, line_no);
alter table public.customers
  add foreign key (country_code) references public.countries;
alter table public.orders
  add foreign key (customer_id) references public.customers,
  add foreign key (store_id) references public.stores;
alter table public.order_items
  add foreign key (order_id) references public.orders,
  add foreign key (product_id) references public.products;
alter table public.payments
  add foreign key (order_id) references public.orders;

-- The reader reads all but one, so that a failure is seen; the biller reads what bills are made of.
grant select on all tables in schema public to shop_reader;
revoke select on public.payroll from shop_reader;
grant select on public.payments, public.orders to billing_reader;

analyze;
