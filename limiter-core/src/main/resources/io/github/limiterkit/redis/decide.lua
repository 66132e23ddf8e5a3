-- Times are milliseconds of the server's clock, amounts are units; all whole numbers below 2^53.
--
-- Decides many requests in one call, in order, on one reading of the clock.
--   KEYS      one state each
--   ARGV      the clock or '' (tests set it); what is asked, packed; then per kind of limit its
--             window, quota and the lifetime of a state
--   asked     per request how many limits it asks; per limit: key, kind, cost, floor
--   answer    the clock; states replaced because they could not be read;
--             per request and limit: result, remaining, wait, birth, fleet's units; then messages
--   result    0 refused, 1 has room, 2 refused by the floor alone, 3 can never have room, 4 failed
--   wait      for 0 until there is room, for 1 until the next unit expires, else 0
--   state     mark, birth, total, units of this and of the last epoch, then entries, newest first:
--             latest unit, units. The sliding log is described in SlidingLog.java.
-- All is read, then decided, then written, so that a server which refuses the first write changed
-- nothing, and one state that fails leaves the other requests their answers.

local MARK = 19531
local HEAD, HEAD_SIZE = '>I2I6I6I6I6I6I6', 38 -- with the newest entry
local ENTRY, ENTRY_SIZE = '>I6I6', 12
local LIMITS, LIMITS_SIZE = '>I2', 2
local ASK, ASK_SIZE = '>I2I2I6I6', 16
local EXACT, SLOTS = 120, 60
local floor, max, sub = math.floor, math.max, string.sub
local pack, unpack_at, call = struct.pack, struct.unpack, redis.pcall

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + floor(time[2] / 1000)
end

local kinds = {}
for i = 1, (#ARGV - 2) / 3 do
  local window, quota = tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local grain = quota <= EXACT and 1 or math.ceil(window / SLOTS)
  local epoch = max(window, 5000)
  kinds[i] = {window = window, quota = quota, lifetime = ARGV[3 * i + 2], cell = now - now % grain,
    epoch = epoch, this_epoch = floor(now / epoch)}
end

local states, healed = {}, 0

local function load(key, kind)
  local raw = call('GET', KEYS[key])
  local s = {raw = raw, kind = kind, birth = now, live = 0, now_units = 0, last_units = 0, units = 0,
    rest = 1, stop = 0}
  states[key] = s
  if not raw then return s end
  local mark, total, last
  if type(raw) == 'string' and #raw >= HEAD_SIZE and (#raw - HEAD_SIZE) % ENTRY_SIZE == 0 then
    mark, s.birth, total, s.now_units, s.last_units, last, s.units = unpack_at(HEAD, raw)
  end
  if mark ~= MARK then
    s.raw, s.birth, s.now_units, s.last_units, s.units = false, now, 0, 0, 0
    if type(raw) == 'table' and sub(raw.err, 1, 9) ~= 'WRONGTYPE' then
      s.failure = raw.err
    else
      healed = healed + 1
    end
    return s
  end
  local rest, stop, window = HEAD_SIZE + 1, #raw, kind.window
  if last > now then
    -- The clock stepped back. The units did happen, so they happened now at the latest.
    while rest < stop do
      local time, units = unpack_at(ENTRY, raw, rest)
      if time < kind.cell then break end
      s.units, rest = s.units + units, rest + ENTRY_SIZE
    end
    last, s.birth, s.clamped = now, max(now, s.birth + 1), total
  end
  -- What has expired leaves the sum now, but the state only when something is admitted.
  while stop > rest do
    local time, units = unpack_at(ENTRY, raw, stop - ENTRY_SIZE + 1)
    if time + window > now then
      s.oldest = time
      break
    end
    total, stop = total - units, stop - ENTRY_SIZE
  end
  if last + window <= now then total = 0 end
  s.last, s.live, s.rest, s.stop = last, total, rest, stop
  return s
end

local function until_room(s, cost, kind)
  local excess, at = s.live + cost - kind.quota, s.stop
  while at > s.rest do
    local time, units = unpack_at(ENTRY, s.raw, at - ENTRY_SIZE + 1)
    excess = excess - units
    if excess <= 0 then return time + kind.window - now end
    at = at - ENTRY_SIZE
  end
  if s.aside and excess <= s.aside_units then return s.aside + kind.window - now end
  return s.last + kind.window - now
end

local function admit(s, cost, kind)
  local last = s.last
  local state_epoch = last and floor(last / kind.epoch)
  if state_epoch ~= kind.this_epoch then
    s.last_units = state_epoch == kind.this_epoch - 1 and s.now_units or 0
    s.now_units = 0
  end
  if s.live == 0 then
    s.units, s.stop, s.begun = 0, s.rest - 1, true
  elseif last < kind.cell then
    -- The newest entry of the state steps aside; it stays in front of the rest.
    s.aside, s.aside_units, s.units, s.begun = last, s.units, 0, true
  end
  s.last, s.units, s.now_units = now, s.units + cost, s.now_units + cost
  s.live, s.admitted = s.live + cost, true
end

-- What the fleet was given in the last whole epoch, unless the state does not know all of it.
local function fleet_units(s, kind)
  if not s.last or s.birth > (kind.this_epoch - 1) * kind.epoch then return -1 end
  local state_epoch = floor(s.last / kind.epoch)
  if state_epoch == kind.this_epoch then return s.last_units end
  return state_epoch == kind.this_epoch - 1 and s.now_units or 0
end

local asked, at, answer, n = ARGV[2], 1, {now, 0}, 2
while at <= #asked do
  local limits, room = unpack_at(LIMITS, asked, at), true
  at = at + LIMITS_SIZE
  for l = 0, limits - 1 do
    local key, k, cost, least = unpack_at(ASK, asked, at + l * ASK_SIZE)
    local kind, result = kinds[k], 1
    local s = states[key] or load(key, kind)
    if s.failure then
      result = 4
    elseif cost > kind.quota then
      result = 3
    elseif s.live + cost > kind.quota then
      result = 0
    elseif least + cost > kind.quota then
      result = 2
    end
    room = room and result == 1
    answer[n + 5 * l + 1] = result
  end
  for _ = 1, limits do
    local key, k, cost, least = unpack_at(ASK, asked, at)
    local s, kind, result, wait = states[key], kinds[k], answer[n + 1], 0
    if room and cost > 0 then
      admit(s, cost, kind)
      least = least + cost
    elseif cost > 0 then
      s.refused = true
    end
    if result == 0 then
      wait = until_room(s, cost, kind)
    elseif result == 1 and s.live > 0 then
      wait = (s.oldest or s.aside or s.last) + kind.window - now
    end
    answer[n + 2], answer[n + 3] = max(0, kind.quota - max(s.live, least)), wait
    answer[n + 4], answer[n + 5] = s.birth, fleet_units(s, kind)
    n, at = n + 5, at + ASK_SIZE
  end
end

local failed
for key, s in pairs(states) do
  if s.admitted or (s.clamped and s.refused) then
    local total, stop = s.live, s.stop
    if not s.admitted then total, stop = s.clamped, #s.raw end
    local front, done = pack(HEAD, MARK, s.birth, total, s.now_units, s.last_units, s.last, s.units)
    if s.begun or s.clamped or stop < #s.raw then
      if s.aside then front = front .. pack(ENTRY, s.aside, s.aside_units) end
      if s.raw then front = front .. sub(s.raw, s.rest, stop) end
      local lifetime = ARGV[1] == '' and s.kind.lifetime or '600000'
      done = call('SET', KEYS[key], front, 'PX', lifetime)
    else
      done = call('SETRANGE', KEYS[key], 0, front)
    end
    if type(done) == 'table' then s.failure = done.err end
  end
  failed = failed or s.failure
end

answer[2] = healed
if failed then
  local limit, messages = 2, n
  at = 1
  while at <= #asked do
    local limits, failure = unpack_at(LIMITS, asked, at)
    failure, at = nil, at + LIMITS_SIZE
    for l = 0, limits - 1 do
      failure = failure or states[unpack_at('>I2', asked, at + l * ASK_SIZE)].failure
    end
    for l = 0, limits - 1 do
      if failure then answer[limit + 5 * l + 1] = 4 end
    end
    if failure then
      messages = messages + 1
      answer[messages] = failure
    end
    limit, at = limit + 5 * limits, at + limits * ASK_SIZE
  end
end
return answer
