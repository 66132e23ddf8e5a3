-- Times are milliseconds of the server's clock, amounts are units; all whole numbers below 2^48.
--
-- Takes back, then decides: many requests in one call, on one reading of the clock.
--   KEYS      one state each; spoken of by their numbers
--   ARGV      the clock or '' (tests set it); what is taken back, packed; what is asked, packed
--   back      of the first states, one by one: each is reset (1, and the last three are 0) or
--             refunded (0): which of both, length of a cell, window, birth, stamp, units
--   asked     runs of groups that ask alike: groups, how many requests of each may be admitted (0
--             if a floor forbids it), limits; per limit: key of the first group, step to the key of
--             the next, window, quota, cost
--   answer    the figures, packed; then for each part that failed, its number from 1, and the command
--             that failed and why, since the server does not say which it is
--   figures   the clock; states replaced because they could not be read;
--             per taking back: units forgotten, or units refunded;
--             per group and limit: requests admitted, units before them, wait until the next unit
--             expires, wait of a refused one until there is room, birth, fleet's units + 1
--   state     mark, birth, total, units of this and of the last epoch, then entries, newest first:
--             latest unit, units. The sliding log is described in SlidingLog.java.
-- All is read, then decided, then written, so that a server which refuses the first write changed
-- nothing, and one state that fails leaves the other requests their answers.

local MARK = 19531
local REBORN = 2 ^ 47 -- added to the birth of a state that a reset began
local HEAD, HEAD_SIZE = '>I2I6I6I6I6I6I6', 38 -- with the newest entry
local TOTAL = 9 -- where it stands
local ENTRY, ENTRY_SIZE = '>I6I6', 12
local BACK, BACK_SIZE = '>I2I6I6I6I6I6', 32
local RUN, RUN_SIZE = '>I2I2I2', 6
local LIMIT, LIMIT_SIZE = '>I2I2I6I6I6', 22
local RUN_AND_LIMIT = '>I2I2I2I2I2I6I6I6' -- a run begins with its first limit
local FIGURES = '>I2I6I6I6I6I6'
local EXACT, SLOTS = 120, 60
local MOST_READ = 1000 -- at once; a function takes some thousand arguments
local FOR_TESTS = 600000 -- the lifetime of a state at a time that a test chose
local floor, ceil, max, sub, type = math.floor, math.ceil, math.max, string.sub, type
local pack, unpack_at, call = struct.pack, struct.unpack, redis.pcall
local KEYS, back, asked = KEYS, ARGV[2], ARGV[3]

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  if time.err then return redis.error_reply('TIME: ' .. time.err) end
  now = time[1] * 1000 + floor(time[2] / 1000)
end

-- By the number of their key: states, '' if there is none, nothing if it is still to be read; their
-- beginnings, if only those are to be written. They have room for one, as most calls have only one,
-- and the rest is made when it is needed: their lifetimes, if they are to be written as a whole; why
-- they could not be used; and the parts of the answer that failed, with the reasons.
local states, fronts, lifetimes, failures, failed = {false}, {false}, nil, nil, nil
local answer, answers, healed, parts = {'', ''}, 1, 0, 0

-- Takes back -------------------------------------------------------------------------------------

if back ~= '' then
  local function is_state(raw)
    return type(raw) == 'string' and #raw >= HEAD_SIZE and (#raw - HEAD_SIZE) % ENTRY_SIZE == 0
      and unpack_at('>I2', raw) == MARK
  end

  local function refund(name, grain, window, birth, stamp, units)
    local raw = call('GET', name)
    if type(raw) == 'table' and sub(raw.err, 1, 9) ~= 'WRONGTYPE' then return raw end
    if not is_state(raw) or stamp + window <= now then return 0 end
    local _, born, total = unpack_at(HEAD, raw)
    if born ~= birth then return 0 end
    local stop = #raw
    local time, held = unpack_at(ENTRY, raw, stop - ENTRY_SIZE + 1)
    while time < stamp do
      stop = stop - ENTRY_SIZE
      if stop < HEAD_SIZE then return 0 end
      time, held = unpack_at(ENTRY, raw, stop - ENTRY_SIZE + 1)
    end
    units = math.min(units, held)
    if units == 0 or floor(time / grain) ~= floor(stamp / grain) then return 0 end
    local done = call('SETRANGE', name, TOTAL - 1,
      pack('>I6', total - units) .. sub(raw, TOTAL + 6, stop - 6) .. pack('>I6', held - units))
    return type(done) == 'table' and done or units
  end

  -- Leaves an empty state and not none, so that its birth tells it from that of before, also within
  -- one millisecond, and tells every instance that what it admitted before does not count.
  local function reset(name, grain, window)
    local raw, born, total = call('GET', name), 0, 0
    if is_state(raw) then
      local _
      _, born, total = unpack_at(HEAD, raw)
    end
    local birth = max(now, born % REBORN + 1) + REBORN
    local lasting = ARGV[1] ~= '' and FOR_TESTS
      or 2 * max(window, 5000) + grain + 1000
    local done = call('SET', name, pack(HEAD, MARK, birth, 0, 0, 0, now, 0), 'PX', lasting)
    return done.err and done or total
  end

  local key = 0
  for at = 1, #back, BACK_SIZE do
    local resets, grain, window, birth, stamp, units = unpack_at(BACK, back, at)
    local done
    key = key + 1
    if resets > 0 then
      done = reset(KEYS[key], grain, window)
    else
      done = refund(KEYS[key], grain, window, birth, stamp, units)
    end
    parts = parts + 1
    if type(done) == 'table' then
      failed = failed or {}
      failed[#failed + 1] = parts
      failed[#failed + 1] = (resets > 0 and 'SET: ' or 'GET or SETRANGE: ') .. done.err
      done = 0
    end
    answers = answers + 1
    answer[answers] = pack('>I6', done)
  end
end

-- Decides -----------------------------------------------------------------------------------------

-- All states at once, since a command costs more than a state. A single one is read below.
for from = 1, (asked == '' or #KEYS == 1) and 0 or #KEYS, MOST_READ do
  local to = math.min(from + MOST_READ - 1, #KEYS)
  local raws = call('MGET', unpack(KEYS, from, to))
  if raws.err then
    failures = failures or {}
    for k = from, to do failures[k], states[k] = 'MGET: ' .. raws.err, '' end
  elseif from == 1 then
    states = raws
  else
    for k = from, to do states[k] = raws[k - from + 1] end
  end
end

-- One loop and no functions: to make them costs as much as a decision.
local at = 1
while at <= #asked do
  local groups, most, limits, key, step, window, quota, cost = unpack_at(RUN_AND_LIMIT, asked, at)
  local first = at + RUN_SIZE
  local grain, cell, epoch, epoch_start, eighth
  at = first + limits * LIMIT_SIZE
  for g = 0, groups - 1 do
    local admitted = most
    -- Of several limits all are looked at before any is charged.
    for pass = limits == 1 and 2 or 1, 2 do
      for l = 0, limits - 1 do
        if limits > 1 then
          key, step, window, quota, cost = unpack_at(LIMIT, asked, first + l * LIMIT_SIZE)
        end
        if g == 0 or limits > 1 then
          grain, epoch = quota <= EXACT and 1 or ceil(window / SLOTS), max(window, 5000)
          cell, epoch_start, eighth = now - now % grain, now - now % epoch, ceil(window / 8)
        end

        local k = key + g * step
        local raw = states[k]
        if not raw then
          -- The only one, or not there, or not a string.
          raw = call('GET', KEYS[k]) or ''
          if type(raw) == 'table' then
            if sub(raw.err, 1, 9) == 'WRONGTYPE' then
              healed = healed + 1
            else
              failures = failures or {}
              failures[k] = 'GET: ' .. raw.err
            end
            raw = ''
          end
          states[k] = raw
        elseif fronts[k] then
          raw = fronts[k] .. sub(raw, #fronts[k] + 1)
          states[k] = raw
        end

        -- What is live of it. The rest are the entries behind the newest.
        local mark, birth, live, now_units, last_units, last, units = MARK, now, 0, 0, 0, false, 0
        local rest, stop, oldest, stored = 1, 0, false, false
        if raw ~= '' then
          rest, stop, mark = HEAD_SIZE + 1, #raw, false
          if stop >= HEAD_SIZE and (stop - HEAD_SIZE) % ENTRY_SIZE == 0 then
            mark, birth, live, now_units, last_units, last, units = unpack_at(HEAD, raw)
          end
        end
        if mark ~= MARK then
          healed, raw, states[k] = healed + 1, '', ''
          birth, live, now_units, last_units, last, units = now, 0, 0, 0, false, 0
          rest, stop = 1, 0
        end
        if last and last > now then
          -- The clock stepped back. The units did happen, so they happened now at the latest.
          while rest < stop do
            local time, more = unpack_at(ENTRY, raw, rest)
            if time < cell then break end
            units, rest = units + more, rest + ENTRY_SIZE
          end
          last, birth, stored = now, max(now + birth - birth % REBORN, birth + 1), live
        end
        -- What has expired leaves the sum now, but the state only when something is admitted.
        while stop > rest do
          local time, old = unpack_at(ENTRY, raw, stop - ENTRY_SIZE + 1)
          if time + window > now and old > 0 then
            oldest = time
            break
          end
          live, stop = live - old, stop - ENTRY_SIZE
        end
        if last and last + window <= now then
          live, oldest = 0, false
        elseif last and (live < units or oldest and oldest > last) then
          -- It looked like a state, but its sum is less than a part, or its parts are in no order.
          healed, raw, states[k] = healed + 1, '', ''
          birth, live, now_units, last_units, last, units = now, 0, 0, 0, false, 0
          rest, stop, oldest, stored = 1, 0, false, false
        end

        local free, before = quota - live, live
        if failures and failures[k] then
          admitted = 0
        elseif cost * admitted > free or free < 0 then
          admitted = free > 0 and floor(free / cost) or 0
        end

        if pass == 2 then
          local next, room, fleet, aside, aside_units, replaced = 0, 0, 0
          local refuses, given = admitted < most or most == 0, admitted * cost
          if last and last < epoch_start then
            last_units = last >= epoch_start - epoch and now_units or 0
            now_units = 0
          end
          -- What the fleet was given in the last whole epoch, if the state knows all of it.
          if last and birth % REBORN <= epoch_start - epoch then fleet = last_units + 1 end
          if given > 0 then
            -- What is not shorter than before can be written like a beginning, which is cheap but
            -- leaves the lifetime alone: that is renewed once in an eighth of a window, long
            -- before it ends.
            local renewed = not last or last < now - now % eighth
            local whole = renewed or stored or stop < #raw
            if live == 0 then
              units, rest, stop, whole = 0, 1, 0, true
            elseif last < cell then
              -- The newest entry steps aside; it stays in front of the rest.
              aside, aside_units, units, whole = last, units, 0, true
            end
            live, last = live + given, now
            local front =
              pack(HEAD, MARK, birth, live, now_units + given, last_units, now, units + given)
            if whole then
              local begun = aside and pack(ENTRY, aside, aside_units) or ''
              front = front .. begun .. sub(raw, rest, stop)
            end
            if renewed or stored or (whole and #front < #raw) then
              replaced = front
            else
              local pending = fronts[k]
              fronts[k] = pending and #pending > #front and front .. sub(pending, #front + 1)
                or front
            end
          elseif stored and refuses and cost > 0 then
            replaced = pack(HEAD, MARK, birth, stored, now_units, last_units, last, units)
              .. sub(raw, rest)
          end
          if replaced then
            -- The epochs outlive a window.
            lifetimes = lifetimes or {}
            states[k], lifetimes[k], fronts[k] = replaced, 2 * epoch + grain + 1000, false
          end
          if live > 0 then next = (oldest or aside or last) + window - now end
          if refuses and live + cost > quota and cost <= quota then
            local excess = live + cost - quota
            while excess > 0 and stop > rest do
              local time, old = unpack_at(ENTRY, raw, stop - ENTRY_SIZE + 1)
              excess, stop = excess - old, stop - ENTRY_SIZE
              room = (time < last and time or last) + window - now
            end
            if excess > 0 then
              room = (aside and excess <= aside_units and aside or last) + window - now
            end
          end
          answers = answers + 1
          answer[answers] = pack(FIGURES, admitted, before, next, room, birth, fleet)
        end
      end
    end
  end
end

-- Writes ------------------------------------------------------------------------------------------

if lifetimes then
  local text, told
  for k, lasting in pairs(lifetimes) do
    local raw, front = states[k], fronts[k]
    if front then raw, fronts[k] = front .. sub(raw, #front + 1), false end
    if ARGV[1] ~= '' then lasting = FOR_TESTS end
    -- As text, since the server is slow at making text of numbers.
    if lasting ~= told then text, told = string.format('%d', lasting), lasting end
    local done = call('SET', KEYS[k], raw, 'PX', text)
    if done.err then
      failures = failures or {}
      failures[k] = 'SET: ' .. done.err
    end
  end
end
for k, front in pairs(fronts) do
  local done = front and call('SETRANGE', KEYS[k], '0', front)
  if type(done) == 'table' then
    failures = failures or {}
    failures[k] = 'SETRANGE: ' .. done.err
  end
end

-- A group fails as a whole with any of its states.
if failures then
  failed = failed or {}
  at = 1
  while at <= #asked do
    local groups, _, limits = unpack_at(RUN, asked, at)
    local limit = at + RUN_SIZE
    at = limit + limits * LIMIT_SIZE
    for g = 0, groups - 1 do
      local failure
      for l = 0, limits - 1 do
        local key, step = unpack_at(LIMIT, asked, limit + l * LIMIT_SIZE)
        failure = failure or failures[key + g * step]
      end
      parts = parts + 1
      if failure then failed[#failed + 1], failed[#failed + 2] = parts, failure end
    end
  end
end

answer[1] = pack('>I6I2', now, healed)
if answers == 2 and not failed then return {answer[1] .. answer[2]} end
return {table.concat(answer, '', 1, answers), unpack(failed or {})}
