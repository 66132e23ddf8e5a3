-- Times are milliseconds of the server's clock.
--
-- Hears that an instance is there, or that it leaves, and counts the fleet.
--   KEYS    the instances, each with the time when it was last heard of; numbers of instances, each
--           with the time when so many were last there at once
--   ARGV    the clock or '' (tests set it); the instance; 'here' or 'gone'
--   answer  instances heard of in the last 3 s; those silent for longer, for an hour; the most that
--           were there at once in the last hour
-- What was not heard of for an hour is forgotten, and both keys with it.

local SILENT, HOUR = 3000, 3600000
local instances, sizes = KEYS[1], KEYS[2]

-- Redis does not say which command it is that the user may not run.
local function run(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then error(command .. ': ' .. reply.err, 0) end
  return reply
end

local now = tonumber(ARGV[1])

local function count_fleet()
  if not now then
    local time = run('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end

  local function hear()
    if ARGV[3] == 'gone' then return redis.pcall('ZREM', instances, ARGV[2]) end
    return redis.pcall('ZADD', instances, now, ARGV[2])
  end

  -- The first write tells whether the server takes any; its refusal is the answer.
  local heard = hear()
  if type(heard) == 'table' and string.sub(heard.err, 1, 9) == 'WRONGTYPE' then
    run('PEXPIRE', instances, 0)
    heard = hear()
  end
  if type(heard) == 'table' then error('ZADD or ZREM: ' .. heard.err, 0) end
  -- Who may not do this must not leave a key for ever.
  local lives = redis.pcall('PEXPIRE', instances, HOUR + 60000)
  if type(lives) == 'table' then
    run('ZREM', instances, ARGV[2])
    error('PEXPIRE: ' .. lives.err, 0)
  end

  -- The clock stepped back: what it showed before was now at the latest, else the silent seem alive.
  for _, ahead in ipairs(run('ZRANGEBYSCORE', instances, '(' .. now, '+inf')) do
    run('ZADD', instances, now, ahead)
  end
  run('ZREMRANGEBYSCORE', instances, '-inf', now - HOUR)
  local known = run('ZCARD', instances)
  local alive = run('ZCOUNT', instances, '(' .. (now - SILENT), '+inf')

  local seen = redis.pcall('ZADD', sizes, now, alive)
  if type(seen) == 'table' then
    run('PEXPIRE', sizes, 0)
    run('ZADD', sizes, now, alive)
  end
  run('PEXPIRE', sizes, HOUR + 60000)
  run('ZREMRANGEBYSCORE', sizes, '-inf', now - HOUR)
  local most = 0
  for _, size in ipairs(run('ZRANGE', sizes, 0, -1)) do
    local then_alive = tonumber(size) or 0
    most = math.max(most, then_alive)
    -- A smaller number of before will never be the most again: growing leaves nothing to be read.
    if then_alive < alive then run('ZREM', sizes, size) end
  end

  return {alive, known - alive, most}
end

local counted, answer = pcall(count_fleet)
return counted and answer or redis.error_reply(answer)
