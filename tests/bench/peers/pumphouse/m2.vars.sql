SELECT json_build_object('id', id, 'generation', launch_generation) FROM worker WHERE state = 'LIVE' ORDER BY md5(id::text) LIMIT 1500
