-- Times are milliseconds of the server's clock, amounts are units.
--
-- One decision of a sliding log, as one would write it for a limiter of one's own: the log is one
-- packed string, the newest entry is in front, and neighbours in one cell share an entry.
--   KEYS[1]   the log
--   ARGV      quota, window, cost, length of a cell, lifetime of the log
--   answer    1 admitted or 0 refused, units that remain, wait until there is room (0 if admitted)
--   log       units of all entries, then entries: latest unit, units; six bytes each
local quota, window, cost, cell = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)

local log = redis.call('GET', KEYS[1])
local total, stop = 0, 6
if log then
  total = struct.unpack('>I6', log)
  stop = #log
  while stop > 6 do
    local last, units = struct.unpack('>I6I6', log, stop - 11)
    if last + window > now then break end
    total, stop = total - units, stop - 12
  end
end

if total + cost > quota then
  local excess, wait, at = total + cost - quota, window, stop
  while at > 6 do
    local last, units = struct.unpack('>I6I6', log, at - 11)
    excess, at = excess - units, at - 12
    if excess <= 0 then
      wait = last + window - now
      break
    end
  end
  return {0, math.max(0, quota - total), wait}
end

total = total + cost
if stop > 6 then
  local last, units = struct.unpack('>I6I6', log, 7)
  if math.floor(last / cell) == math.floor(now / cell) then
    local front = struct.pack('>I6I6I6', total, now, units + cost)
    if stop == #log then
      redis.call('SETRANGE', KEYS[1], 0, front)
    else
      redis.call('SET', KEYS[1], front .. string.sub(log, 19, stop), 'PX', ARGV[5])
    end
    return {1, quota - total, 0}
  end
end
local rest = stop > 6 and string.sub(log, 7, stop) or ''
redis.call('SET', KEYS[1], struct.pack('>I6I6I6', total, now, cost) .. rest, 'PX', ARGV[5])
return {1, quota - total, 0}
