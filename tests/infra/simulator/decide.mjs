// Decides requests by IAM policies: many questions in, one verdict a line out, in one process.
//
// node decide.mjs FOLDER < questions     FOLDER holds node_modules; the exit code is 1 on a question that makes no sense
//
// A line is {"policy": NAME, "document": {…}}, which defines or replaces a policy, or
// {"action", "principal", "resource", "account", "context": {…}, "identity": [NAME, …], "attached": NAME or null}:
// may this principal, whose own policies are `identity`, do this to a resource whose own policy is `attached`?
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'

const require = createRequire(`${resolve(process.argv[2])}/`)
const { runSimulation } = require('@cloud-copilot/iam-simulate')

const policies = new Map()

function known(name) {
  if (!policies.has(name)) throw new Error(`no policy is called ${name}`)
  return policies.get(name)
}

async function verdict({ action, principal, resource, account, context, identity, attached }) {
  const answer = await runSimulation(
    {
      request: { action, principal, resource: { resource, accountId: account }, contextVariables: context },
      identityPolicies: identity.map((name) => ({ name, policy: known(name) })),
      resourcePolicy: attached === null ? undefined : known(attached),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  )
  if (answer.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(answer.errors)}`)
  return answer.overallResult
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line)
  if ('policy' in question) policies.set(question.policy, question.document)
  else process.stdout.write(`${await verdict(question)}\n`)
}
