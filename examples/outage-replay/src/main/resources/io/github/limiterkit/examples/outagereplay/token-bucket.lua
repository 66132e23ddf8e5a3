-- KEYS[1]: a bucket. ARGV: tokens it holds, milliseconds in which it fills. 1 if there was a token, else 0.
local holds, fills = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = math.min(holds, (bucket[1] or holds) + (now - (bucket[2] or now)) * holds / fills)
local taken = tokens >= 1 and 1 or 0
redis.call('HSET', KEYS[1], 'tokens', tokens - taken, 'at', now)
redis.call('PEXPIRE', KEYS[1], fills)
return taken
