// The challenge in the frame: it sends the chosen word to the simulator, and posts the ticket to the shop's page, or a
// message that the challenge was closed.
const main = document.querySelector('main')
const { id, aid } = main.dataset
const status = main.querySelector('[role=status]')

/** Posts the result to the page, of any origin: a ticket is useless without the shop's secret key. */
const finish = (result) => window.parent.postMessage(result, '*')

main.addEventListener('click', async ({ target }) => {
  if (target.name === 'close') return finish({ ret: 2 })
  if (target.name !== 'word') return
  const answer = await fetch(`solve?aid=${encodeURIComponent(aid)}`, {
    method: 'POST', body: new URLSearchParams({ id, word: target.value }),
  }).then((r) => r.json()).catch(() => ({ ret: -1 }))
  if (answer.ret === 0) return finish(answer)
  status.textContent = answer.ret === 1 ? '验证失败，请重试' : '网络异常，请重试'
  if (answer.ret === 1) setTimeout(() => window.location.reload(), 800)
})
main.hidden = false // A tap before this line would be lost.
