// Written by `scriptorium hook install opencode`; `scriptorium hook remove opencode` takes it out again.
//
// OpenCode 1 calls `server`, OpenCode 2 `setup`. Memory goes along with what a model is sent and is stored in no
// session. What was said is handed over after a turn, before a compaction and at the end. Whatever fails here,
// the conversation goes on without memory; `scriptorium status` says why.
import { spawn } from "node:child_process"

const COMMAND = __COMMAND__
const PATIENCE = 1500 // milliseconds that a conversation waits for memory at most
const MOST = 2_000_000 // characters of a conversation that are handed over, the newest

function hook(event, call, patience = PATIENCE) {
  return new Promise((done) => {
    try {
      const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", event, "--agent", "opencode"], {
        stdio: ["pipe", "pipe", "ignore"],
      })
      const timer = setTimeout(() => done(""), patience)
      const end = (text) => (clearTimeout(timer), done(text))
      let text = ""
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => (text += piece))
      child.on("close", () => end(text))
      child.on("error", () => end(""))
      child.stdin.on("error", () => undefined)
      child.stdin.end(JSON.stringify(call))
    } catch {
      done("")
    }
  })
}

const unwrapped = (value) => (value && typeof value === "object" && "data" in value ? value.data : value)
const textOf = (parts) =>
  (parts ?? [])
    .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
    .map((part) => part.text)
    .join("\n\n")

function newest(messages) {
  let left = MOST
  const from = messages.findLastIndex((message) => (left -= message.text.length) < 0)
  return messages.slice(from + 1)
}

// What is known of the sessions of one directory; `host` asks OpenCode for a session and for its messages.
function remembering(directory, host) {
  const owned = new Map() // session → whether a person talks in it, here: agents of agents are let be
  const cores = new Map()
  const recalled = new Map() // session → message → what goes along with it
  const chains = new Map()

  const call = (session, more) => ({ provider: "opencode", session_id: session, cwd: directory, ...more })
  const isOurs = (session) => {
    if (!owned.has(session)) owned.set(session, host.isOurs(session).catch(() => false))
    return owned.get(session)
  }

  async function handOver(event, session) {
    if (!(await isOurs(session))) return
    const messages = newest((await host.messages(session)).filter((message) => message.text))
    if (messages.length) await hook(event, call(session, { messages }), 60_000)
  }

  return {
    begun(session) {
      if (!cores.has(session)) cores.set(session, isOurs(session).then((ours) => (ours ? hook("session-start", call(session)) : "")))
      return cores.get(session)
    },
    asked(session, message, prompt) {
      if (!recalled.has(session)) recalled.set(session, new Map())
      const known = recalled.get(session)
      if (!known.has(message))
        known.set(message, isOurs(session).then((ours) => (ours && prompt ? hook("prompt", call(session, { prompt })) : "")))
    },
    given: (session, message) => recalled.get(session)?.get(message) ?? "",
    lastGiven: (session) => [...(recalled.get(session)?.values() ?? [])].at(-1) ?? "",
    // One after the other: the newer log of a session never stands behind an older one.
    write(event, session) {
      const next = (chains.get(session) ?? Promise.resolve()).then(() => handOver(event, session)).catch(() => undefined)
      chains.set(session, next)
      return next
    },
    ended() {
      return Promise.all([...chains.keys()].map((session) => this.write("session-end", session)))
    },
    forget(session) {
      for (const known of [owned, cores, recalled, chains]) known.delete(session)
    },
  }
}

async function server({ client, directory }) {
  const memory = remembering(directory, {
    isOurs: async (id) => !unwrapped(await client.session.get({ path: { id } })).parentID,
    messages: async (id) =>
      unwrapped(await client.session.messages({ path: { id } })).map(({ info, parts }) => ({
        id: info.id,
        role: info.role,
        at: info.time?.created,
        text: textOf(parts),
      })),
  })
  return {
    "chat.message": async (input, output) => {
      void memory.begun(input.sessionID)
      memory.asked(input.sessionID, output.message.id, textOf(output.parts))
    },
    "experimental.chat.messages.transform": async (_, output) => {
      let first = true
      for (const [place, message] of output.messages.entries()) {
        const { role, sessionID, id } = message.info
        if (role !== "user") continue
        const texts = [first ? await memory.begun(sessionID) : "", await memory.given(sessionID, id)]
        first = false
        const added = texts
          .filter(Boolean)
          .map((text, number) => ({ id: `${id}-memory-${number}`, sessionID, messageID: id, type: "text", text, synthetic: true }))
        if (added.length) output.messages[place] = { ...message, parts: [...added, ...message.parts] }
      }
    },
    "experimental.session.compacting": async ({ sessionID }) => void memory.write("pre-compact", sessionID),
    event: async ({ event }) => {
      const session = event.properties?.sessionID
      if (event.type === "session.idle") void memory.write("turn", session)
      if (event.type === "session.deleted") memory.forget(event.properties?.info?.id ?? session)
      if (event.type === "server.instance.disposed") await memory.ended()
    },
    dispose: () => memory.ended(),
  }
}

async function setup(ctx) {
  const memory = remembering(ctx.location.directory, {
    isOurs: async (sessionID) => {
      const session = unwrapped(await ctx.session.get({ sessionID }))
      const there = session.location?.directory ?? ctx.location.directory
      return !session.parentID && there === ctx.location.directory
    },
    messages: async (sessionID) => {
      const ask = ctx.session.messages ?? ctx.session.context
      const found = []
      for (let cursor; ; ) {
        const page = await ask.call(ctx.session, cursor ? { sessionID, cursor } : { sessionID, order: "asc" })
        found.push(...unwrapped(page))
        cursor = page?.cursor?.next
        if (!cursor) break
      }
      return found.map((message) => ({
        id: message.id,
        role: message.role ?? message.type,
        at: message.time?.created,
        text: typeof message.text === "string" ? message.text : textOf(message.content),
      }))
    },
  })
  await ctx.session.hook("prompt", (event) => {
    void memory.begun(event.sessionID)
    memory.asked(event.sessionID, event.messageID, event.prompt?.text)
  })
  await ctx.session.hook("context", async (event) => {
    for (const text of [await memory.begun(event.sessionID), await memory.lastGiven(event.sessionID)])
      if (text) event.system.push({ type: "text", text })
  })
  const stop = new AbortController()
  void (async () => {
    for await (const event of ctx.event.subscribe({ signal: stop.signal })) {
      const session = event.data?.sessionID
      if (event.type === "session.execution.succeeded" || event.type === "session.idle") void memory.write("turn", session)
      if (event.type === "session.compaction.started") void memory.write("pre-compact", session)
      if (event.type === "session.deleted") memory.forget(session)
    }
  })().catch(() => undefined)
  return async () => {
    stop.abort()
    await memory.ended()
  }
}

export default { id: "scriptorium", server, setup }
