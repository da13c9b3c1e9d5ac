SELECT json_build_object('id', id, 'from', to_char(current_date - 30, 'YYYY-MM-DD"T00:00:00Z"'), 'to', to_char(current_date + 1, 'YYYY-MM-DD"T00:00:00Z"'))
FROM pipeline ORDER BY md5(id::text) LIMIT 500
