// Decides requests by IAM policies: many questions in, one answer a line out, in one process.
//
// node decide.mjs FOLDER < lines     FOLDER holds node_modules; a line that makes no sense ends it with code 1
//
// {"policy": NAME, "document": {…}, "guards": BOOLEAN}   defines a policy, of a resource or of a principal
// {"cell": ID, "wanted": BOOLEAN, "requests": [{"action", "principal", "resource", "account", "context": {…},
//   "identity": [NAME, …], "attached": NAME or null}, …]}   defines a question: are all requests allowed, by the
//   principal's own policies (`identity`) and the resource's (`attached`)?
// {"decide": ID}   is answered by `true` or `false`
// {"instead": NAME, "document": {…} or null, "guards": BOOLEAN, "cells": [ID, …]}   is answered by one of these
//   cells that is not decided as wanted once the policy reads so (null: is gone), or by null
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'

const require = createRequire(`${resolve(process.argv[2])}/`)
// Which kinds of resource an ARN fits is asked of the same few hundred ARNs again and again, and takes most of the time.
const kinds = require(resolve(require.resolve('@cloud-copilot/iam-utils'), '../resourceTypes.js'))
const fitting = kinds.mostSpecificMatchingResourceTypePatterns
const fits = new Map()
kinds.mostSpecificMatchingResourceTypePatterns = (arn, patterns) => {
  const asked = [arn, ...patterns].join('\n')
  if (!fits.has(asked)) fits.set(asked, fitting(arn, patterns))
  return fits.get(asked)
}

// How conditions' operators begin and end is compared by a locale's rules, again and again for the same few words.
const words = require(resolve(require.resolve('@cloud-copilot/iam-policy'), '../utils.js'))
for (const [name, compare] of Object.entries(words).filter(([name]) => name.startsWith('caseInsensitive'))) {
  const known = new Map()
  words[name] = (first, second) => {
    const asked = `${first}\n${second}`
    if (!known.has(asked)) known.set(asked, compare(first, second))
    return known.get(asked)
  }
}

const { createValidatedPolicy, validateIdentityPolicy, validateResourcePolicy } = require('@cloud-copilot/iam-policy')
const { runSimulation, runUnsafeSimulation } = require('@cloud-copilot/iam-simulate')

const policies = new Map()
const cells = new Map()
const noticing = new Set() // cells that noticed something before, which are asked first

function validated(name, document, guards) {
  const policy = createValidatedPolicy(document, guards ? validateResourcePolicy : validateIdentityPolicy)
  if (policy.errors.length > 0) throw new Error(`${name}: ${JSON.stringify(policy.errors)}`)
  return policy
}

function known(name) {
  if (!policies.has(name)) throw new Error(`no policy is called ${name}`)
  return policies.get(name)
}

async function allowed({ action, principal, resource, account, context, identity, attached }) {
  const own = identity.map((name) => ({ name, policy: known(name) })).filter(({ policy }) => policy !== null)
  const question = {
    request: { action, principal, resource: { resource, accountId: account }, contextVariables: context },
    identityPolicies: own,
    resourcePolicy: (attached === null ? null : known(attached)) ?? undefined,
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  }
  const answer = await runSimulation(question, {})
  // AppConfig's ARNs lie in each other, so that one fits several kinds: it is decided without looking at its kind.
  if (answer.errors?.message === 'multiple.resource.types') return runUnsafeSimulation(question, {}) === 'Allowed'
  if (answer.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(answer.errors)}`)
  return answer.overallResult === 'Allowed'
}

async function decide({ requests }) {
  for (const request of requests) if (!(await allowed(request))) return false
  return true
}

async function firstOtherwise({ instead, document, guards, cells: asked }) {
  const before = known(instead)
  policies.set(instead, document === null ? null : validated(instead, document, guards))
  try {
    for (const id of [...asked.filter((one) => noticing.has(one)), ...asked.filter((one) => !noticing.has(one))]) {
      if ((await decide(cells.get(id))) === cells.get(id).wanted) continue
      noticing.add(id)
      return id
    }
    return null
  } finally {
    policies.set(instead, before)
  }
}

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text)
  if ('policy' in line) policies.set(line.policy, validated(line.policy, line.document, line.guards))
  else if ('cell' in line) cells.set(line.cell, line)
  else if ('decide' in line) process.stdout.write(`${await decide(cells.get(line.decide))}\n`)
  else process.stdout.write(`${await firstOtherwise(line)}\n`)
}
