-- Times are milliseconds of the server's clock, amounts are units; all whole numbers below 2^53.
--
-- Decides many requests in one call, in order, on one reading of the clock.
--   KEYS      one state each
--   ARGV      the clock or '' (tests set it); per key: window, lifetime;
--             per request: how many limits it asks, per limit: key, cost, quota, floor
--   answer    the clock; states replaced because they could not be read;
--             per request and limit: result, remaining, wait, birth, fleet's units; then messages
--   result    0 refused, 1 has room, 2 refused by the floor alone, 3 can never have room, 4 failed
--   wait      for 0 until there is room, for 1 until the next unit expires, else 0
--   state     mark, birth, total, units of this and of the last epoch, then entries, newest first:
--             latest unit, units. The sliding log is described in SlidingLog.java.
-- All is read, then decided, then written, so that a server which refuses the first write changed
-- nothing, and one state that fails leaves the other requests their answers.

local MARK, HEADER, ENTRY = 19531, 26, 12
local floor, ceil, max = math.floor, math.ceil, math.max
local pack, unpack_at = struct.pack, struct.unpack

local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + floor(t[2] / 1000)
end

local function grain(s, quota)
  if quota <= 120 then return 1 end
  return ceil(s.window / 60)
end

local function same_cell(s, quota, stamp)
  local g = grain(s, quota)
  return floor(stamp / g) == floor(now / g)
end

local healed = 0

local function load(i, quota)
  local s = {window = tonumber(ARGV[2 * i]), lifetime = ARGV[2 * i + 1], raw = '', birth = now,
    total = 0, units_now = 0, units_before = 0, units = 0, rest = 1, stop = 0}
  local raw = redis.pcall('GET', KEYS[i])
  local mark
  if type(raw) == 'string' and #raw >= HEADER + ENTRY and (#raw - HEADER) % ENTRY == 0 then
    mark, s.birth, s.total, s.units_now, s.units_before, s.last, s.units =
      unpack_at('>I2I6I6I6I6I6I6', raw)
  end
  if mark == MARK then
    s.raw, s.rest, s.stop = raw, HEADER + ENTRY + 1, #raw
  elseif raw then
    if type(raw) == 'table' and string.sub(raw.err, 1, 9) ~= 'WRONGTYPE' then
      s.failure = raw.err
      return s
    end
    healed = healed + 1
    s.birth, s.total, s.units_now, s.units_before, s.last, s.units = now, 0, 0, 0, nil, 0
  end
  if s.last and s.last > now then
    -- The clock stepped back. The units did happen, so they happened now at the latest.
    while s.rest < s.stop do
      local last, units = unpack_at('>I6I6', s.raw, s.rest)
      if last <= now and not same_cell(s, quota, last) then break end
      s.units, s.rest = s.units + units, s.rest + ENTRY
    end
    s.last, s.birth, s.clamped = now, max(now, s.birth + 1), true
  end
  -- What has expired leaves the sum, but not the state before something is admitted.
  s.live, s.live_stop = s.total, s.stop
  while s.live_stop > s.rest do
    local last, units = unpack_at('>I6I6', s.raw, s.live_stop - ENTRY + 1)
    if last + s.window > now then
      s.oldest = last
      break
    end
    s.live, s.live_stop = s.live - units, s.live_stop - ENTRY
  end
  if s.last and not s.oldest and s.last + s.window <= now then s.live = 0 end
  return s
end

local function until_room(s, cost, quota)
  local excess, at = s.live + cost - quota, s.live_stop
  while at > s.rest do
    local last, units = unpack_at('>I6I6', s.raw, at - ENTRY + 1)
    excess = excess - units
    if excess <= 0 then return last + s.window - now end
    at = at - ENTRY
  end
  if s.aside then
    excess = excess - s.aside_units
    if excess <= 0 then return s.aside + s.window - now end
  end
  return s.last + s.window - now
end

local function until_next(s)
  if s.live == 0 then return 0 end
  return (s.oldest or s.aside or s.last) + s.window - now
end

-- The units of the fleet in the last whole epoch, unless the state does not know all of them.
local function fleet_units(s)
  local length = max(s.window, 5000)
  local epoch = floor(now / length)
  if s.birth > (epoch - 1) * length then return -1 end
  local of_state = floor(s.last / length)
  if of_state == epoch then return s.units_before end
  if of_state == epoch - 1 then return s.units_now end
  return 0
end

local function admit(s, cost, quota)
  local length = max(s.window, 5000)
  local epoch, of_state = floor(now / length), s.last and floor(s.last / length)
  if of_state ~= epoch then
    s.units_before = of_state == epoch - 1 and s.units_now or 0
    s.units_now = 0
  end
  s.units_now = s.units_now + cost
  if s.live == 0 then
    s.last, s.units = now, 0
    s.begun, s.live_stop = true, s.rest - 1
  elseif not same_cell(s, quota, s.last) then
    -- The newest entry of the state steps aside; it stays in front of the rest.
    s.aside, s.aside_units, s.begun, s.units = s.last, s.units, true, 0
  end
  s.last, s.units, s.live, s.admitted = now, s.units + cost, s.live + cost, true
end

local states, answer, messages, n, at = {}, {now, 0}, {}, 2, 2 * #KEYS + 2
local requests = {}
while at <= #ARGV do
  local limits = tonumber(ARGV[at])
  local request = {first = n, room = true}
  at = at + 1
  for l = 1, limits do
    local k, cost, quota, least =
      tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
    at = at + 4
    local s = states[k]
    if not s then
      s = load(k, quota)
      states[k] = s
    end
    request[l] = {state = s, cost = cost, quota = quota, least = least}
  end
  requests[#requests + 1] = request
end

for _, request in ipairs(requests) do
  for _, ask in ipairs(request) do
    local s = ask.state
    if s.failure then
      ask.result = 4
    elseif ask.cost > ask.quota then
      ask.result = 3
    elseif s.live + ask.cost > ask.quota then
      ask.result = 0
    elseif ask.least + ask.cost > ask.quota then
      ask.result = 2
    else
      ask.result = 1
    end
    if ask.result ~= 1 then request.room = false end
  end
  for _, ask in ipairs(request) do
    local s, counted = ask.state, ask.least
    if ask.result ~= 4 then
      if ask.cost > 0 then
        s.touched = true
        if request.room then
          admit(s, ask.cost, ask.quota)
          counted = counted + ask.cost
        end
      end
      ask.remaining = max(0, ask.quota - max(s.live, counted))
      ask.wait = ask.result == 0 and until_room(s, ask.cost, ask.quota)
        or ask.result == 1 and until_next(s) or 0
    end
  end
end

local lifetime_of_tests = ARGV[1] ~= '' and '600000'
for k, s in pairs(states) do
  if s.touched and (s.admitted or s.clamped) then
    local total = s.admitted and s.live or s.total
    local front = pack('>I2I6I6I6I6I6I6', MARK, s.birth, total, s.units_now, s.units_before, s.last,
      s.units)
    local done
    if s.begun or s.clamped or s.live_stop < s.stop then
      if s.aside then front = front .. pack('>I6I6', s.aside, s.aside_units) end
      local stop = s.admitted and s.live_stop or s.stop
      done = redis.pcall('SET', KEYS[k], front .. string.sub(s.raw, s.rest, stop), 'PX',
        lifetime_of_tests or s.lifetime)
    else
      done = redis.pcall('SETRANGE', KEYS[k], 0, front)
    end
    if type(done) == 'table' and done.err then s.failure = done.err end
  end
end

answer[2] = healed
for _, request in ipairs(requests) do
  local failure
  for _, ask in ipairs(request) do failure = failure or ask.state.failure end
  for _, ask in ipairs(request) do
    local s = ask.state
    if failure then
      answer[n + 1], answer[n + 2], answer[n + 3], answer[n + 4], answer[n + 5] = 4, 0, 0, 0, -1
    else
      answer[n + 1], answer[n + 2], answer[n + 3], answer[n + 4], answer[n + 5] =
        ask.result, ask.remaining, ask.wait, s.birth, s.last and fleet_units(s) or -1
    end
    n = n + 5
  end
  if failure then messages[#messages + 1] = failure end
end
for _, message in ipairs(messages) do
  n = n + 1
  answer[n] = message
end
return answer
