-- id
SELECT json_build_object('id', id, 'lastHeartbeatAt', last_heartbeat_at) FROM worker WHERE id = $1::uuid
