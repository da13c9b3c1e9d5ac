-- id name
SELECT json_build_object('id', id, 'name', name, 'version', version) FROM pipeline WHERE id = $1::uuid AND name = $2
