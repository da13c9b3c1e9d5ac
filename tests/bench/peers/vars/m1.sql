SELECT json_build_object('id', id, 'name', left(name, 13) || '-{seq}') FROM pipeline ORDER BY md5(id::text)
