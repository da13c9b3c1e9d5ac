-- A cursor of this server: the order's digest, then the row's values of that order.
SELECT json_build_object('env', env_id, 'word', 'wArehouse', 'afterName', after_name, 'afterId', after_id,
  'after', translate(encode(convert_to(json_build_array('8a478ca3af', after_name, after_id)::text, 'UTF8'), 'base64'), E'\n', '')) FROM benchaux.q4 ORDER BY n
