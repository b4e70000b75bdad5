package contract

// defaults are what the real server fills in where the document does not say a value.
func (s *Server) defaults(schema string, x *exchange) map[string]any {
	switch schema {
	case "Stream":
		return map[string]any{"subjects": []any{x.body["name"]}, "num_replicas": float64(1), "duplicate_window": "2m", "compression": "none",
			"metadata": map[string]any{"_nats.ver": "2.15.3"}, "deletion_protection": false}
	case "Consumer":
		return map[string]any{"durable_name": x.body["name"], "ack_wait": "30s", "max_deliver": float64(-1), "max_ack_pending": float64(1000),
			"metadata": map[string]any{"_nats.ver": "2.15.3"}}
	case "KvBucket":
		return map[string]any{"num_replicas": float64(1), "history": float64(1), "stream_name": "KV_" + text(x.body["name"])}
	case "ObjectBucket":
		return map[string]any{"num_replicas": float64(1), "stream_name": "OBJ_" + text(x.body["name"])}
	case "Account":
		limits := s.doc.SynthObject(s.doc.Schema("AccountLimits"))
		limits["jetstream"] = s.unlimited()
		return map[string]any{"limits": limits, "public_key": "AAHZZFBCKGVVZX2Q5AV4QCH7TIFJ24OKOTU4DPRBTG5Y4RM5WXJCYCVF"}
	case "Export":
		return map[string]any{"token_required": true}
	}
	return nil
}

// unlimited are the limits of streams where nobody set any.
func (s *Server) unlimited() map[string]any {
	out := s.doc.SynthObject(s.doc.Schema("JetStreamLimits"))
	for field, value := range out {
		if _, number := value.(float64); number {
			out[field] = float64(-1)
		}
	}
	return out
}

// complete brings fields in line that depend on each other.
func (s *Server) complete(schema string, body map[string]any) {
	switch schema {
	case "Account":
		// A merge patch cannot say null.
		if limits := object(body["limits"]); limits["tiers"] == nil {
			limits["tiers"] = nil
		}
	case "RoleAssignment":
		body["principal"] = map[string]any{"kind": "service_account", "id": body["principal_id"], "name": "ci"}
		delete(body, "principal_id")
	case "Share":
		body["state"] = "accepted"
		if body["target_public_key"] == "" {
			body["target_public_key"] = "AAHZZFBCKGVVZX2Q5AV4QCH7TIFJ24OKOTU4DPRBTG5Y4RM5WXJCYCVF"
		}
		delete(body, "auto_accept")
		delete(body, "expires_in")
	case "Import":
		if body["remote_public_key"] == "" {
			body["remote_public_key"] = "AAHZZFBCKGVVZX2Q5AV4QCH7TIFJ24OKOTU4DPRBTG5Y4RM5WXJCYCVF"
		}
		body["activation"] = "share"
		delete(body, "activation_token")
	}
}

func text(value any) string {
	out, _ := value.(string)
	return out
}
